"""`companion doctor`: is this machine ready to watch a table, and if not, what is wrong and how is it put right.

Facts are gathered through probes (`probes`, `machine`, `picture`) and judged by pure functions (`checks`,
`picture_checks`), so that a broken machine can be handed to a check as plain data.
"""
