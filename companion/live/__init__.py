"""The live table: one inbox, one writer; everything else only hands things in."""
