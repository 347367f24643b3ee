/**
 * A press that is meant for a frame of another origin does not come by in the documents around it: one that
 * does has met something that came to lie over the frame after the point was told. It is stopped there.
 */
const KEY = `Symbol.for('drawbridge.frame-guard')`;
/** Whoever prepared a press and never made it does not keep the page from its person. */
const ARMED_MS = 3_000;

export const ARM_GUARD = `() => {
  const TYPES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
  globalThis[${KEY}]?.close();
  let missed = '';
  const onEvent = (event) => {
    if (!event.isTrusted) return;
    const [target] = event.composedPath();
    missed ||= target?.localName ?? 'the page';
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const type of TYPES) window.addEventListener(type, onEvent, { capture: true });
  const close = () => {
    clearTimeout(timer);
    for (const type of TYPES) window.removeEventListener(type, onEvent, { capture: true });
  };
  const timer = setTimeout(close, ${ARMED_MS});
  globalThis[${KEY}] = { close, missed: () => missed };
  return '';
}`;

export const READ_GUARD = `() => {
  const guard = globalThis[${KEY}];
  guard?.close();
  globalThis[${KEY}] = undefined;
  return guard?.missed() ?? '';
}`;
