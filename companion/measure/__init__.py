"""How well the tracker follows a table: what it tells beside what is true, for simulated plays and for real clips."""
