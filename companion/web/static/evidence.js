// The evidence page: the strip begins at the frame that answers for the press, not half a second before it.
export function startEvidence() {
  const strip = document.querySelector(".strip");
  const frozen = strip?.querySelector(".frozen");
  if (frozen) strip.scrollLeft = frozen.offsetLeft - strip.offsetLeft - (strip.clientWidth - frozen.clientWidth) / 2;
}
