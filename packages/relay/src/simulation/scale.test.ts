import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { runAtScale } from '../../test/simulation/scale.ts';

// Takes many minutes with the environment's numbers.
vi.setConfig({ testTimeout: 60 * 60 * 1_000 });

const { DRAWBRIDGE_SCALE } = process.env;

test('[CHT-292] [CHT-294] [CHT-295] several nodes, of which some die: each person sees their session to its end, and each send has its outcome', async () => {
  const few = { seed: 1, nodes: 5, sessions: 200, perProxy: 20, talking: 0.5, lost: 0.02, repeated: 0.02 };
  const { problems, events, messages, deliveries } = await runAtScale({ ...few, deaths: 2 });
  expect(problems).toEqual([]);
  expect(events).toBeGreaterThan(200 * 3);
  expect(deliveries).toBeGreaterThan(messages);
});

if (DRAWBRIDGE_SCALE !== undefined) {
  test('the same with 50 nodes and 100,000 sessions', () => {
    const program = fileURLToPath(new URL('../../test/simulation/scale-program.ts', import.meta.url));
    const node = [process.execPath, ['--max-old-space-size=14000', program]] as const;
    const { status } = spawnSync(...node, { stdio: 'inherit' });
    expect(status).toBe(0);
  });
}
