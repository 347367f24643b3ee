import type { Brain } from '@drawbridge/brain';
import { systemClock } from '@drawbridge/link';
import { createGate } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { scriptedBrain, startPairedRelay } from '../../test/interact/paired-relay.ts';
import { startTabTasksHarness, stateOf } from '../../test/interact/tab-tasks.ts';
import { createInteractDecider } from './interact-decider.ts';
import { createSessions } from './sessions.ts';

const CLICK = { thought: 'There.', action: 'click(7)', status: 'executing' } as const;

test.each(['before', 'after'] as const)(
  '[INT-74] [INT-284] a worker killed while the relay decides, which it has %s the next one asks, results in one task',
  async (decided) => {
    const gate = createGate();
    const script = scriptedBrain([CLICK]);
    let steps = 0;
    const brain: Brain = {
      name: 'slow',
      async step(input) {
        steps++;
        await gate.passed();
        return script.step(input);
      },
    };
    const { relay, server, asked } = await startPairedRelay({ brain: () => brain });
    // A stopped worker loses its connections.
    let life = new AbortController();
    const decider = createInteractDecider({
      ...server,
      clock: systemClock,
      fetch: (url, init) =>
        server.fetch(url, {
          ...init,
          signal: AbortSignal.any([life.signal, ...(init.signal ? [init.signal] : [])]),
        }),
    });
    const harness = startTabTasksHarness([], { deciderOf: () => decider, clock: systemClock });
    const first = harness.begin();
    await first.tasks.start({ tabId: 3, query: 'Press Add to cart', from: 'panel' });
    await gate.reached;
    first.kill();
    life.abort();
    life = new AbortController();
    const calls = () => asked.filter((path) => path === '/api/agent/interact').length;
    if (decided === 'before') gate.open();
    const second = harness.begin();
    await second.tasks.restore();
    await expect.poll(calls).toBeGreaterThan(1);
    gate.open();
    await harness.until(() => stateOf(second) === 'completed');
    expect(harness.clicks).toHaveLength(1);
    expect(steps).toBe(2);
    expect(await relay.ledger.tasksBefore(null, 9)).toHaveLength(1);
    const sessionId = (await second.sessions.of(3)) ?? '';
    const said = await createSessions(server).messages(sessionId);
    expect(said.filter(({ role }) => role === 'user')).toHaveLength(1);
  },
);
