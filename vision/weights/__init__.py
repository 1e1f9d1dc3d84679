"""The shipped networks; MODEL_CARD.md tells how they were made and what they can do."""
