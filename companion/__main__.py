"""`python -m companion` is the command `companion`."""

from companion.cli import main

if __name__ == "__main__":
    main()
