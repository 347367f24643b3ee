import { type ActionCall, BridgeError, type RuntimeReady, type RuntimeStatus } from '@drawbridge/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorLike, readyItem, setUp } from '../test/bridge-harness.ts';
import { route } from './dispatch.ts';

const SHOP = { runtime_id: 'r1', runtime_key: 'tab:1', url: 'https://shop.example/cart', title: 'Your cart' };
const BOARD = { runtime_id: 'r2', runtime_key: 'tab:2', url: 'https://board.example/', title: 'The board' };
const OTHER = { runtime_id: 'r3', url: 'https://shop.example/help' };

/** Connects three runtimes; returns the recipient of the call, or its error. */
function send(
  fields: Partial<ActionCall>,
  runtimes: readonly Partial<RuntimeReady>[] = [SHOP, BOARD, OTHER],
) {
  const harness = setUp();
  const peers = runtimes.map((ready) => harness.runtime(ready));
  const agent = harness.agent();
  agent.call('c1', fields);
  const reached = peers.flatMap(({ calls }) => calls()).map(({ runtime_id }) => runtime_id);
  return { reached, answer: agent.answers('c1') };
}

describe('a selector', () => {
  test.each([
    ['[BRG-52]', { runtime_id: 'r2' }],
    ['[BRG-53]', { target_runtime_id: 'r2' }],
    ['[BRG-54]', { target: { runtime_id: 'r2' } }],
    ['[BRG-55]', { target: { runtime_key: 'tab:2' } }],
    ['[BRG-56]', { target_url_contains: 'board.' }],
    ['[BRG-57]', { target_title_contains: 'board' }],
  ])('%s %j selects the one that fits, and nobody else gets the call', (_rule, selector) => {
    expect(send(selector)).toEqual({ reached: ['r2'], answer: [] });
  });

  test.each([
    ['[BRG-52]', { runtime_id: 'r' }],
    ['[BRG-53]', { target_runtime_id: 'R2' }],
    ['[BRG-54]', { target: { runtime_id: 'r22' } }],
    ['[BRG-55]', { target: { runtime_key: 'tab:' } }],
    ['[BRG-56]', { target_url_contains: 'Board.' }],
    ['[BRG-57]', { target_title_contains: 'boards' }],
  ])('%s [BRG-59] %j, which is only nearly right, selects none', (_rule, selector) => {
    const { reached, answer } = send(selector);
    expect(reached).toEqual([]);
    expect(answer).toEqual([errorLike('runtime_not_found', { selectors: selector }, { call_id: 'c1' })]);
  });

  test('[BRG-58] [BRG-64] gets ambiguous_runtime with the candidates when several match', () => {
    const { reached, answer } = send({ target_url_contains: 'shop.example' });
    const { runtime_key, ...shop } = SHOP;
    const candidates = [
      { ...shop, runtime_key },
      { ...OTHER, title: null },
    ];
    expect(reached).toEqual([]);
    expect(answer).toEqual([errorLike('ambiguous_runtime', { candidates, count: 2 }, { call_id: 'c1' })]);
  });

  test('[BRG-60] is combined with all others', () => {
    const call = { target_url_contains: 'shop.example', target_title_contains: 'cart' };
    expect(send(call)).toEqual({ reached: ['r1'], answer: [] });
  });

  test('[BRG-60] matches none when it contradicts another', () => {
    const { reached, answer } = send({ runtime_id: 'r1', target: { runtime_id: 'r2' } });
    expect(reached).toEqual([]);
    expect(answer).toEqual([errorLike('runtime_not_found')]);
  });

  test('[BRG-57] by title matches no runtime without a title', () => {
    expect(send({ target_title_contains: '' }, [OTHER]).answer).toEqual([errorLike('runtime_not_found')]);
  });
});

describe('without a selector', () => {
  test('[BRG-61] goes to the only runtime', () =>
    expect(send({}, [BOARD])).toEqual({ reached: ['r2'], answer: [] }));

  test('[BRG-62] [BRG-51] goes to none of several', () => {
    const { reached, answer } = send({});
    expect(reached).toEqual([]);
    expect(answer).toEqual([errorLike('ambiguous_runtime', { count: 3 })]);
  });

  test('[BRG-148] goes to none even if only one map has the tool', () => {
    const manifest = { tools: [{ name: 'cart.add' }] };
    const { answer } = send({ name: 'cart.add' }, [{ ...SHOP, manifest }, BOARD]);
    expect(answer).toEqual([errorLike('ambiguous_runtime')]);
  });

  test('[BRG-63] gets runtime_not_found when there is none', () =>
    expect(send({}, []).answer).toEqual([errorLike('runtime_not_found', { count: 0 }, { call_id: 'c1' })]));
});

test('[BRG-67] keeps a call at its named runtime when another claimed tab is activated', () => {
  const harness = setUp();
  const shop = harness.runtime(SHOP);
  const board = harness.runtime(BOARD);
  const agent = harness.agent();
  agent.call('c1', { runtime_id: 'r1', name: 'browser.claimed_tabs.activate', arguments: { tab_id: 2 } });
  shop.answer('c1', { activated: 2 });
  agent.call('c2', { runtime_id: 'r1' });
  expect(shop.calls().map(({ call_id }) => call_id)).toEqual(['c1', 'c2']);
  expect(board.calls()).toEqual([]);
});

describe('any set of runtimes and selectors', () => {
  const some = (likely: number, ...words: string[]) =>
    fc.oneof(
      { weight: likely, arbitrary: fc.constantFrom(...words) },
      { weight: 4 - likely, arbitrary: fc.constant(undefined) },
    );
  const runtimes = fc
    .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4, size: 'max' })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((runtime_id) =>
          fc.record({
            runtime_id: fc.constant(runtime_id),
            runtime_key: some(3, 'k1', 'k2', 'k'),
            url: fc.constantFrom('https://x.example/', 'https://y.example/x', 'about:blank'),
            title: some(3, '', 'x', 'xy'),
            moved: some(1, 'https://x.example/y', 'about:x'),
          }),
        ),
      ),
    );
  const selectors = fc.record({
    runtime_id: some(1, 'a', 'b', 'e'),
    target_runtime_id: some(1, 'a', 'b'),
    inner_id: some(1, 'a', 'b'),
    inner_key: some(1, 'k1', 'k', 'k9'),
    target_url_contains: some(1, 'x', 'https', 'y.', 'z'),
    target_title_contains: some(1, '', 'x', 'y'),
  });
  type Described = Parameters<typeof oracle>[0];

  /** A field-by-field oracle in the words of the rules, independent of the code. */
  function oracle(
    there: readonly {
      runtime_id: string;
      runtime_key: string | undefined;
      url: string;
      moved: string | undefined;
      title: string | undefined;
    }[],
    wanted: Record<string, string | undefined>,
  ): string {
    let left = [...there];
    for (const field of ['runtime_id', 'target_runtime_id', 'inner_id']) {
      const id = wanted[field];
      if (id !== undefined) left = left.filter((runtime) => runtime.runtime_id === id);
    }
    const { inner_key: key, target_url_contains: url, target_title_contains: title } = wanted;
    if (key !== undefined) left = left.filter((runtime) => runtime.runtime_key === key);
    if (url !== undefined)
      left = left.filter((runtime) => (runtime.moved ?? runtime.url).indexOf(url) !== -1);
    if (title !== undefined) {
      left = left.filter((runtime) => runtime.title !== undefined && runtime.title.indexOf(title) !== -1);
    }
    if (left.length === 0) return 'runtime_not_found';
    return left.length > 1 ? 'ambiguous_runtime' : `to ${left[0]?.runtime_id}`;
  }

  const without = <Value>(record: Readonly<Record<string, Value | undefined>>) =>
    Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

  /** Each runtime has a different owner, so that two may have the same key. */
  function outcomeAtTheBridge(described: Described, call: ActionCall): string {
    const { runtime, agent } = setUp();
    const peers = described.map(({ moved, ...ready }) => {
      const peer = runtime(without(ready), `device-${ready.runtime_id}`);
      const { runtime_id } = ready;
      if (moved !== undefined) peer.connection.receive({ type: 'runtime_status', runtime_id, url: moved });
      return peer;
    });
    const caller = agent();
    caller.connection.receive(call);
    const reached = peers.flatMap((peer, at) => peer.calls().map(() => `to ${described[at]?.runtime_id}`));
    const refused = caller.answers('c1').map((item) => ('error' in item ? item.error.code : item.type));
    return [...reached, ...refused].join(' and ');
  }

  test('[BRG-51] [BRG-58] [BRG-59] [BRG-60] lead to exactly one runtime or to the right error', {
    timeout: 60_000,
  }, () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(runtimes, selectors, (described, wanted) => {
        const { inner_id, inner_key, ...outer } = wanted;
        const target = without({ runtime_id: inner_id, runtime_key: inner_key });
        const call: ActionCall = {
          type: 'action_call',
          call_id: 'c1',
          name: 'search',
          arguments: {},
          ...without(outer),
          ...(Object.keys(target).length === 0 ? {} : { target }),
        };
        const expected = oracle(described, wanted);
        seen.set(expected.slice(0, 3), (seen.get(expected.slice(0, 3)) ?? 0) + 1);
        expect(outcomeAtTheBridge(described, call)).toBe(expected);
        expect(outcomeOf(() => `to ${route(call, entriesOf(described)).ready.runtime_id}`)).toBe(expected);
      }),
      { numRuns: 10_000, seed: 7 },
    );
    // All three outcomes must occur.
    for (const outcome of ['to ', 'run', 'amb']) expect(seen.get(outcome)).toBeGreaterThan(1_000);
  });

  function entriesOf(described: Described) {
    return described.map(({ moved, ...ready }) => {
      const { runtime_id } = ready;
      const status: RuntimeStatus | undefined =
        moved === undefined ? undefined : { type: 'runtime_status', runtime_id, url: moved };
      return { ready: readyItem(without(ready)), status };
    });
  }
});

function outcomeOf(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof BridgeError) return error.code;
    throw error;
  }
}
