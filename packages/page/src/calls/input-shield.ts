/** `born`: in a new document, until its host allows input. */
export type ShieldOrder = 'born' | 'raise' | 'lower';

/**
 * Swallows trusted input in one document while a host presses in another, so that a page cannot move a
 * foreign frame under the pointer. Lowering it returns the element that would have been reached.
 * Self-contained: a host with a debugger sends its source into the page.
 */
export function shieldInput(order: ShieldOrder): string {
  const KEY = Symbol.for('drawbridge.shield');
  /** Set by `press-guard.ts` of page code in the target document. */
  const GUARDED_HERE = Symbol.for('drawbridge.guarded');
  /** A host that disappears must not block the person's input. */
  const LIMITS_MS = { born: 3_000, raise: 10_000, lower: 0 };
  const TYPES = [
    ...['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'],
    ...[
      'touchstart',
      'touchmove',
      'touchend',
      'dragstart',
      'drop',
      'keydown',
      'keypress',
      'keyup',
      'beforeinput',
    ],
  ];
  const install = () => {
    let isUp = false;
    let missed = '';
    let orders = 0;
    const onEvent = (event: Event) => {
      if (!isUp || !event.isTrusted || Reflect.get(globalThis, GUARDED_HERE) === true) return;
      const [target] = event.composedPath();
      missed ||= (target !== undefined && String(Reflect.get(target, 'localName') ?? '')) || 'the page';
      // Chrome makes touch listeners of a window passive, and warns in the page's console.
      if (!event.type.startsWith('touch')) event.preventDefault();
      event.stopImmediatePropagation();
    };
    // Added at document start and never removed, so that they run before the page's own.
    const listen = () => {
      for (const type of TYPES) window.addEventListener(type, onEvent, { capture: true });
    };
    listen();
    // `document.open()` removes listeners but keeps observers.
    new MutationObserver(listen).observe(document, { childList: true });
    return (given: ShieldOrder): string => {
      isUp = given !== 'lower';
      const order = ++orders;
      if (isUp) {
        listen();
        // No timer: one that is set during an act counts as the page's.
        AbortSignal.timeout(LIMITS_MS[given]).addEventListener('abort', () => {
          if (order === orders) isUp = false;
        });
        return '';
      }
      const heard = missed;
      missed = '';
      return heard;
    };
  };
  const known = Reflect.get(globalThis, KEY);
  // A window outlives its initial empty document.
  if (known !== undefined && known.document !== document) known.order('lower');
  const shield = known?.document === document ? known : { document, order: install() };
  Reflect.set(globalThis, KEY, shield);
  return String(shield.order(order));
}
