/**
 * Page code and the debugger's shield are in worlds of their own and share only the document. An event says in which
 * document the press is guarded. A page that sends it itself takes the shield off its own document alone.
 */

/** In the world of page code: tells of the mark that `press-guard.ts` sets. */
export function signalGuard(): void {
  let isGuarded = false;
  Object.defineProperty(globalThis, Symbol.for('drawbridge.guarded'), {
    get: () => isGuarded,
    set(value: unknown) {
      isGuarded = value === true;
      window.dispatchEvent(new Event(isGuarded ? 'drawbridge-guarded' : 'drawbridge-unguarded'));
    },
    configurable: true,
  });
}

/** In the shield's world: keeps the mark there. It stands alone, for its text is sent into the page. */
export function followGuard(): void {
  const mark = Symbol.for('drawbridge.guarded');
  window.addEventListener('drawbridge-guarded', () => Reflect.set(globalThis, mark, true));
  window.addEventListener('drawbridge-unguarded', () => Reflect.set(globalThis, mark, false));
}
