/** `born`: in a new document, until its host lets input in. */
export type ShieldOrder = 'born' | 'raise' | 'lower';

/**
 * Swallows trusted input in one document while a host presses in another: a page that moves a frame of another site
 * under the pointer presses nothing in it. Lowering it answers what would have been reached. It stands alone: a host
 * with a debugger sends its text into the page.
 */
export function shieldInput(order: ShieldOrder): string {
  const KEY = Symbol.for('drawbridge.shield');
  /** Set by `press-guard.ts` of the page code, where the press is meant to land. */
  const GUARDED_HERE = Symbol.for('drawbridge.guarded');
  /** A host that is gone does not keep the page from its person. */
  const LIMIT_MS = order === 'born' ? 3_000 : 10_000;
  const TYPES = [
    ...['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'],
    ...['touchstart', 'touchend', 'dragstart', 'drop', 'keydown', 'keypress', 'keyup', 'beforeinput'],
  ];
  const before = Reflect.get(globalThis, KEY);
  const heard = String(before?.close() ?? '');
  Reflect.set(globalThis, KEY, undefined);
  if (order === 'lower') return heard;
  let missed = heard;
  const onEvent = (event: Event) => {
    if (!event.isTrusted || Reflect.get(globalThis, GUARDED_HERE) === true) return;
    const [target] = event.composedPath();
    missed ||= (target !== undefined && String(Reflect.get(target, 'localName') ?? '')) || 'the page';
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const listen = () => {
    for (const type of TYPES) window.addEventListener(type, onEvent, { capture: true, passive: false });
  };
  // `document.open()` takes every listener off, and leaves observers.
  const observer = new MutationObserver(listen);
  observer.observe(document, { childList: true });
  const close = () => {
    clearTimeout(timer);
    observer.disconnect();
    for (const type of TYPES) window.removeEventListener(type, onEvent, { capture: true });
    return missed;
  };
  const timer = setTimeout(close, LIMIT_MS);
  listen();
  Reflect.set(globalThis, KEY, { close });
  return '';
}
