"""How the shipped networks are made: rendered scenes, photographs under open licences, training. Not in the wheel."""
