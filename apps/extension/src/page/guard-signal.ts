/**
 * Page code and the debugger's shield run in separate worlds and share only the document. An event tells the
 * shield which document guards the press. A page that sends it itself lifts the shield only off its own
 * document.
 */

/** In the world of page code: signals the mark that `press-guard.ts` sets. */
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

/** In the shield's world: keeps the mark there. Self-contained, because its source is sent into the page. */
export function followGuard(): void {
  const mark = Symbol.for('drawbridge.guarded');
  window.addEventListener('drawbridge-guarded', () => Reflect.set(globalThis, mark, true));
  window.addEventListener('drawbridge-unguarded', () => Reflect.set(globalThis, mark, false));
}
