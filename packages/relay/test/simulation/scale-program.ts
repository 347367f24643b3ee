import { runAtScale } from './scale.ts';

/**
 * Prints the numbers that docs/scale.md quotes. `DRAWBRIDGE_SCALE` is `NODES,SESSIONS`, or anything for 50
 * and 100,000.
 */
const [nodes = 50, sessions = 100_000] = (process.env['DRAWBRIDGE_SCALE'] ?? '')
  .split(',')
  .map(Number)
  .filter((number) => number > 1);
const few = { seed: 1, perProxy: 100, talking: 0.2, lost: 0.02, repeated: 0.02, deaths: 5 };
const metrics = await runAtScale({
  ...few,
  nodes,
  sessions,
  onProgress: (text) => process.stdout.write(`${text}\n`),
});
const { problems, ...rest } = metrics;
process.stdout.write(`${JSON.stringify({ nodes, sessions, ...rest, problems: problems.length }, null, 2)}\n`);
for (const problem of problems.slice(0, 20)) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
