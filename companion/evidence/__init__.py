"""Evidence: what the camera showed when somebody pressed or a rule looked broken, frozen, kept, shown and exported."""
