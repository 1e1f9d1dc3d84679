"""Greece Lightning in words; its pages are not there yet."""
