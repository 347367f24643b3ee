const UNPAINTED_MS = 200;

/** A hidden page is never painted, so a timer replaces the frame there. */
function beforePaint(run: () => void): void {
  const first = (): void => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    run();
  };
  const timer = setTimeout(first, UNPAINTED_MS);
  const frame = requestAnimationFrame(first);
}

/** Rendering gets one part of the time; three parts are left for scrolling and typing. */
const REST_PARTS = 3;
const LONGEST_REST_MS = 200;

/** Runs before a frame; after a slow one, skips frames. */
export function createPainting(): (run: () => void, isUrgent: boolean) => void {
  let restsUntil = 0;
  const paint = (run: () => void): void =>
    beforePaint(() => {
      const began = performance.now();
      run();
      // By then the change is rendered and painted.
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
