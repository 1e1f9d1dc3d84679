"""How the recorded rolls were made: dice and hands simulated by a physics engine. Nobody needs it to play.

Needs MuJoCo (the extra `physics`): `python -m device.physics` records them anew, the same to the byte for one seed
and one version of MuJoCo on one kind of machine.
"""
