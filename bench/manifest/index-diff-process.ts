import { createPatch } from 'rfc6902';

/** Runs the peer's diff in a child process: some changes exhaust its time, stack or memory. */
process.once('message', ([before, after]: [unknown, unknown]) => {
  const started = performance.now();
  const patch = createPatch(before, after);
  const ms = performance.now() - started;
  process.send?.({ ms, operations: patch.length, chars: JSON.stringify(patch).length }, () => process.exit());
});
