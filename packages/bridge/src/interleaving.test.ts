import type { ActionCall } from '@drawbridge/protocol';
import { createSeededRandom, type SeededRandom } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { setUp, type TestAgent, type TestRuntime } from '../test/bridge-harness.ts';

const SEEDS = 200;
const STEPS = 250;
const RUNTIME_IDS = ['r1', 'r2', 'r3', 'r4'];
const FEATURES = [
  'resume',
  'runtime_probe',
  'action_cancel',
  'agent_hello',
  'runtime_gone',
  'action_progress',
];

interface InterleavedRun {
  readonly random: SeededRandom;
  readonly harness: ReturnType<typeof setUp>;
  readonly runtimes: TestRuntime[];
  readonly agents: TestAgent[];
  /** Every runtime that ever connected, to count recipients of a call. */
  readonly allRuntimes: TestRuntime[];
  /** Callers by call_id. */
  readonly asked: Map<string, TestAgent | 'here'>;
  readonly left: Set<TestAgent>;
  readonly endings: Map<string, number>;
  readonly cancels: Map<string, () => void>;
  ids: number;
}

const someFeatures = (random: SeededRandom) => FEATURES.filter(() => random.chance(0.6));

const RUN_STEPS: readonly ((world: InterleavedRun) => void)[] = [
  function connect({ random, harness, runtimes, allRuntimes }) {
    if (runtimes.length > 5) return;
    const peer = harness.runtime(undefined, random.pick(['device-1', 'device-2']));
    runtimes.push(peer);
    allRuntimes.push(peer);
  },
  announce,
  announce,
  function drop({ random, runtimes }) {
    if (runtimes.length < 2) return;
    const peer = random.pick(runtimes);
    runtimes.splice(runtimes.indexOf(peer), 1);
    peer.connection.close();
  },
  ask,
  ask,
  ask,
  answer,
  answer,
  answer,
  answer,
  function spoil({ random, runtimes, asked }) {
    const call_id = random.pick([...asked.keys(), 'unknown']);
    const item = random.pick<object>([
      { type: 'action_call_output', call_id, runtime_id: random.pick(['r1', 'r2', 'r3']) },
      { type: 'action_error', call_id, error: { code: 'handler_failed', message: 'It failed.' } },
      { type: 'action_progress', call_id, runtime_id: random.pick(['r1', 'r2']), step: 'fill' },
      { type: 'runtime_probe_result', runtime_id: 'r1', probe_id: 'probe-3', state: 'asleep' },
      { type: 'action_call', call_id: 'c', name: 'search', arguments: {} },
    ]);
    if (runtimes.length > 0) random.pick(runtimes).connection.receive(item);
  },
  function speak({ runtimes }) {
    for (const { connection } of runtimes) {
      for (const runtime_id of RUNTIME_IDS) connection.receive({ type: 'runtime_status', runtime_id });
    }
  },
  function cancel({ random, asked, agents, cancels }) {
    const call_id = random.pick([...asked.keys(), 'unknown']);
    random.pick(agents).connection.receive({ type: 'action_cancel', call_id });
    if (random.chance(0.3)) cancels.get(call_id)?.();
  },
  function wait({ random, harness }) {
    harness.clock.advance(random.pick([1, 10, 100, 400, 1_500, 6_000, 31_000]));
  },
  function replaceAgent({ random, harness, agents, left }) {
    const leaver = random.pick(agents);
    agents.splice(agents.indexOf(leaver), 1, harness.agent(...someFeatures(random)));
    left.add(leaver);
    leaver.connection.close();
  },
];

function announce({ random, runtimes }: InterleavedRun): void {
  if (runtimes.length === 0) return;
  const key = random.chance(0.7) ? { runtime_key: random.pick(['k1', 'k2']) } : {};
  const runtime_id = random.pick(RUNTIME_IDS);
  random.pick(runtimes).announce({ runtime_id, ...key, features: someFeatures(random) });
}

function ask(world: InterleavedRun): void {
  const { random, harness, agents, asked, endings, cancels } = world;
  const call_id = `c${++world.ids}`;
  const selector = random.pick<Partial<ActionCall>>([
    {},
    { runtime_id: 'r1' },
    { runtime_id: 'r2' },
    { target: { runtime_key: 'k1' } },
    { target_runtime_id: 'r3' },
  ]);
  const fields = { ...selector, timeout_ms: random.pick([0, 500, 2_000, 40_000]) };
  if (random.chance(0.3)) {
    const { output, cancel } = harness.bridge.call({ call_id, name: 'search', arguments: {}, ...fields });
    const ended = () => endings.set(call_id, (endings.get(call_id) ?? 0) + 1);
    void output.then(ended, ended);
    cancels.set(call_id, cancel);
    asked.set(call_id, 'here');
    return;
  }
  const caller = random.pick(agents);
  asked.set(call_id, caller);
  caller.call(call_id, fields);
}

function answer({ random, runtimes }: InterleavedRun): void {
  if (runtimes.length === 0) return;
  const peer = random.pick(runtimes);
  const call = peer.calls().at(-random.int(1, 3));
  if (call !== undefined)
    peer.answer(call.call_id, 'done', random.pick([call.runtime_id ?? 'r1', 'r1', 'r2']));
}

async function live(seed: number) {
  const random = createSeededRandom(seed);
  const harness = setUp();
  const world: InterleavedRun = {
    random,
    harness,
    runtimes: [],
    agents: [harness.agent(), harness.agent(...FEATURES)],
    allRuntimes: [],
    asked: new Map(),
    left: new Set(),
    endings: new Map(),
    cancels: new Map(),
    ids: 0,
  };
  for (let step = 0; step < STEPS; step++) random.pick(RUN_STEPS)(world);
  harness.bridge.close();
  await harness.clock.advanceAsync(0);
  return world;
}

test('[BRG-49] [BRG-51] [BRG-102] [BRG-152] ends every call exactly once in any order of events', {
  timeout: 60_000,
}, async () => {
  const codes = new Set<string>();
  let outputs = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { harness, asked, left, endings, allRuntimes } = await live(seed);
    const sent = allRuntimes.flatMap(({ calls }) => calls()).map(({ call_id }) => call_id);
    expect(new Set(sent).size, `seed ${seed}: a call went out twice`).toBe(sent.length);
    for (const [call_id, caller] of asked) {
      const answers = caller === 'here' ? [] : caller.answers(call_id);
      const ended = caller === 'here' ? (endings.get(call_id) ?? 0) : answers.length;
      if (caller !== 'here' && left.has(caller)) expect(ended).toBeLessThanOrEqual(1);
      else expect(ended, `seed ${seed}: ${call_id}`).toBe(1);
      for (const item of answers) {
        if (item.type === 'action_error') codes.add(item.error.code);
        else outputs++;
      }
    }
    expect(harness.clock.pending(), `seed ${seed}: a timer was left behind`).toBe(0);
    expect(harness.faults).toEqual([]);
  }
  // The walk must reach every way in which a call can end.
  expect([...codes].sort()).toEqual([
    'ambiguous_runtime',
    'handler_failed',
    'handler_timeout',
    'invalid_result',
    'runtime_not_found',
    'runtime_not_ready',
    'transport_failed',
  ]);
  expect(outputs).toBeGreaterThan(200);
});
