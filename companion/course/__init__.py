"""The course of Greece Lightning, drawn and in words."""
