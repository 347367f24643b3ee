import { createPatch } from 'rfc6902';

/** The peer's diff, in a process of its own: on some changes it runs out of time, stack or memory. */
process.once('message', ([before, after]: [unknown, unknown]) => {
  const started = performance.now();
  const patch = createPatch(before, after);
  const ms = performance.now() - started;
  process.send?.({ ms, operations: patch.length, chars: JSON.stringify(patch).length }, () => process.exit());
});
