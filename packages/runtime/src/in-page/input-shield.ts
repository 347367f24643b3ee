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
  const LIMITS_MS = { born: 3_000, raise: 10_000, lower: 0 };
  const TYPES = [
    ...['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'],
    ...['dragstart', 'drop', 'keydown', 'keypress', 'keyup', 'beforeinput'],
  ];
  const install = () => {
    let isUp = false;
    let missed = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onEvent = (event: Event) => {
      if (!isUp || !event.isTrusted || Reflect.get(globalThis, GUARDED_HERE) === true) return;
      const [target] = event.composedPath();
      missed ||= (target !== undefined && String(Reflect.get(target, 'localName') ?? '')) || 'the page';
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    // From the start and for good: so they are before the page's own.
    const listen = () => {
      for (const type of TYPES) window.addEventListener(type, onEvent, { capture: true });
    };
    listen();
    // `document.open()` takes every listener off, and leaves observers.
    new MutationObserver(listen).observe(document, { childList: true });
    return (given: ShieldOrder): string => {
      isUp = given !== 'lower';
      clearTimeout(timer);
      if (isUp) {
        listen();
        timer = setTimeout(() => {
          isUp = false;
        }, LIMITS_MS[given]);
        return '';
      }
      const heard = missed;
      missed = '';
      return heard;
    };
  };
  const known = Reflect.get(globalThis, KEY);
  // A window outlives its first, empty document.
  if (known !== undefined && known.document !== document) known.order('lower');
  const shield = known?.document === document ? known : { document, order: install() };
  Reflect.set(globalThis, KEY, shield);
  return String(shield.order(order));
}
