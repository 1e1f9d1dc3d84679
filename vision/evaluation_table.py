"""The report on labelled photographs as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.goals import goals

if TYPE_CHECKING:
    from vision.evaluation import Report, Tally

__all__ = ["table"]

_SHARES = ("right", "refused", "wrong", "missed")


def table(report: Report) -> str:
    """Rows by source, in all and by view, inventions per hundred frames, calibration, the goals, and the curve."""
    head = f"{'source':44} {'dice':>5}{''.join(f' {name:>8}' for name in _SHARES)}"
    head = f"{head} {'invented':>8} {'frames':>6} {'whole':>6} {'ms':>6}"
    rule = "-" * len(head)
    lines = [head, rule]
    for name, tally in sorted(report.sources.items(), key=lambda item: (item[1].learned, -item[1].dice)):
        lines.append(_row(("* " if tally.learned else "  ") + name, tally))
    lines.append(rule)
    lines += [
        _row("  all", report.all),
        _row("* learned from", report.learned),
        _row("  only tested", report.unlearned),
    ]
    for text, unlearned in (("  mean over sources", False), ("  mean over sources only tested", True)):
        means = [report.mean_of_sources(name, unlearned=unlearned) for name in _SHARES]
        lines.append(f"{text:44} {'':5}" + "".join(f" {share:7.1f}%" for share in means))
    lines += [_row("  photographs without dice", report.without_dice), rule]
    for text, unlearned in (("all", False), ("only tested", True)):
        lines += [_row(f"  {text}: {view}", tally) for view, tally in report.views(unlearned=unlearned).items()]
    lines.append(rule)
    rates = (("all", report.all), ("only tested", report.unlearned), ("without dice", report.without_dice))
    told = ", ".join(f"{name} {tally.invented_per_100_frames:.1f}" for name, tally in rates if tally.frames)
    lines.append(f"Invented per 100 frames: {told}.")
    lines.append(
        f"Calibration error {report.calibration_error():.3f} "
        f"(only tested: {report.calibration_error(unlearned=True):.3f}). "
        "* = the weights learned from this source or were tuned on it."
    )
    if reached := goals(report):
        lines += ["Goals, on the sources that only test:", *(f"  {goal}" for goal in reached)]
    for title, unlearned in (("all", False), ("only tested", True)):
        lines += _curve(report, title, unlearned)
    return "\n".join(lines)


def _row(name: str, t: Tally) -> str:
    whole = f"{100 * t.frames_right / t.frames:5.1f}%" if t.frames else "     -"
    shares = "".join(f" {t.share(each):7.1f}%" if t.dice else "        -" for each in _SHARES)
    return f"{name:44} {t.dice:5}{shares} {t.invented:8} {t.frames:6} {whole} {t.ms_per_frame:6.1f}"


def _curve(report: Report, title: str, unlearned: bool) -> list[str]:
    total = report.unlearned if unlearned else report.all
    if not total.dice:
        return []
    lines = [
        f"Had values been stated from this confidence up ({title}; invented with the photographs without dice):",
        f"  {'from':>5} {'right':>13} {'wrong':>13} {'refused':>13} {'invented':>8} {'whole':>6}",
    ]
    for step in report.curve(unlearned=unlearned):
        counts = (step.right, step.wrong, step.refused)
        shares = "".join(f" {count:5} {100 * count / total.dice:6.2f}%" for count in counts)
        whole = 100 * step.frames_right / total.frames
        lines.append(f"  {step.threshold:5g}{shares} {step.invented:8} {whole:5.1f}%")
    return lines
