const UNPAINTED_MS = 200;

/** A page that nobody sees, or that another window hides, is painted never: there a timer stands in. */
function beforePaint(run: () => void): void {
  const first = (): void => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    run();
  };
  const timer = setTimeout(first, UNPAINTED_MS);
  const frame = requestAnimationFrame(first);
}

/** For one part of its time the screen shows what arrives; three parts belong to whoever scrolls and types. */
const REST_PARTS = 3;
const LONGEST_REST_MS = 200;

/** Runs before a frame is painted; after one that took long, not before every frame. */
export function createPainting(): (run: () => void, isUrgent: boolean) => void {
  let restsUntil = 0;
  const paint = (run: () => void): void =>
    beforePaint(() => {
      const began = performance.now();
      run();
      // By then what changed is rendered and painted.
      setTimeout(() => {
        const now = performance.now();
        restsUntil = now + Math.min((now - began) * REST_PARTS, LONGEST_REST_MS);
      });
    });
  return (run, isUrgent) => {
    const rest = restsUntil - performance.now();
    if (isUrgent || rest <= 0) paint(run);
    else setTimeout(() => paint(run), rest);
  };
}
