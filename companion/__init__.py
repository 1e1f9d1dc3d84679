"""The application: the live table, the store, speech, the web dashboard and the command line."""

__version__ = "0.1.0"
