import { describe, expect, test } from 'vitest';
import { errorLike, readyItem, setUp } from '../test/bridge-harness.ts';
import { createToolPolicy } from './site-map.ts';

const tool = (name: string, fields: object = {}) => ({ name, description: '', input_schema: {}, ...fields });

const MAP = {
  tools: [
    tool('cart.add'),
    tool('plain'),
    tool('mail.send'),
    tool('ads.click'),
    tool('off.run'),
    tool('shady.run', { x_actions: { source: { trust: 'unknown' } } }),
    tool('vouched.run', { x_actions: { source: { trust: 'shared' } } }),
  ],
  imports: [
    { id: 'mail', kind: 'shared', uri: 'a', trust: 'shared' },
    { id: 'x', namespace: 'ads', kind: 'public', uri: 'b' },
    { id: 'off', kind: 'local', uri: 'c', trust: 'local', enabled: false },
    { id: 'vouched', kind: 'public', uri: 'd' },
  ],
};

function outcome(name: string, manifest?: Record<string, unknown>, ready: object = {}): unknown {
  const { runtime, agent } = setUp();
  const peer = runtime({ ...ready, ...(manifest === undefined ? {} : { manifest }) });
  const caller = agent();
  caller.call('c1', { name });
  return peer.calls().length === 1 ? 'sent' : caller.answers('c1');
}

describe('a namespaced tool', () => {
  test.each(['cart.add', 'mail.send', 'vouched.run'])(
    '[BRG-65] [BRG-147] %s is sent from an allowed source of the map',
    (name) => expect(outcome(name, MAP)).toBe('sent'),
  );

  test.each(['ads.click', 'off.run', 'shady.run', 'ads.other'])(
    '[BRG-65] [BRG-81] [BRG-147] %s, from a source that is not allowed, gets permission_denied',
    (name) =>
      expect(outcome(name, MAP)).toEqual([errorLike('permission_denied', { name, runtime_id: 'r1' })]),
  );

  test.each(['board.add_card', 'cart.remove', 'mail.delete'])(
    '[BRG-65] [BRG-147] [BRG-76] %s, which the map does not have, is not sent',
    (name) => expect(outcome(name, MAP)).toEqual([errorLike('unknown_action', { name, runtime_id: 'r1' })]),
  );

  test.each(['plain', 'not_in_the_map', 'pointer.click', 'browser.claimed_tabs.list'])(
    '[BRG-147] %s is left to the runtime: it is no namespaced tool',
    (name) => expect(outcome(name, MAP)).toBe('sent'),
  );

  test.each([undefined, {}, { tools: 'many' }])(
    '[BRG-147] is left to a runtime without a list of tools: %j',
    (map) => expect(outcome('cart.add', map)).toBe('sent'),
  );

  test('[BRG-147] recognizes a primitive of another family by dictionary or capabilities', () => {
    const dictionary = { primitives: [{ name: 'sensor.read' }] };
    expect(outcome('sensor.read', { tools: [] })).toEqual([errorLike('unknown_action')]);
    expect(outcome('sensor.read', { tools: [], primitive_dictionary: dictionary })).toBe('sent');
    expect(outcome('sensor.read', { tools: [] }, { capabilities: ['sensor.read'] })).toBe('sent');
  });

  test("[BRG-65] [BRG-148] lets a host's policy decide about the chosen runtime", () => {
    const asked: string[] = [];
    const { runtime, agent } = setUp({
      allowTool: (name, { runtime_id }) => {
        asked.push(`${name} at ${runtime_id}`);
        return runtime_id === 'r2' ? 'yes' : 'no';
      },
    });
    const [one, two] = [runtime({ runtime_id: 'r1' }), runtime({ runtime_id: 'r2' })];
    const caller = agent();
    caller.call('c1', { runtime_id: 'r1', name: 'a.b' });
    caller.call('c2', { runtime_id: 'r2', name: 'a.b' });
    caller.call('c3', { name: 'a.b' });
    expect(caller.answers('c1')).toEqual([errorLike('permission_denied')]);
    expect([one.calls().length, two.calls().length]).toEqual([0, 1]);
    expect(asked).toEqual(['a.b at r1', 'a.b at r2']);
  });

  test('[BRG-147] lets a host choose allowed trust and primitive names', () => {
    const policy = createToolPolicy({ allowTrust: (trust) => trust === 'unknown', isPrimitive: () => true });
    const runtime = { runtime_id: 'r1', ready: readyItem({ manifest: MAP }), liveness: 'awake' } as const;
    expect(policy('ads.click', runtime)).toBe('yes');
    expect(policy('mail.send', runtime)).toBe('no');
    expect(policy('board.add_card', runtime)).toBe('yes');
  });

  test('[BRG-155] fails only the call when a policy throws', () => {
    const { runtime, agent, faults } = setUp({
      allowTool: () => {
        throw new Error('secret path /home');
      },
    });
    runtime({});
    const caller = agent();
    caller.call('c1');
    expect(caller.answers('c1')).toEqual([errorLike('transport_failed')]);
    expect(JSON.stringify(caller.got)).not.toContain('secret');
    expect(faults).toEqual([new Error('secret path /home')]);
  });
});

describe('capabilities', () => {
  const dictionary = {
    version: 1,
    primitives: [
      { name: 'pointer.click', capabilities: ['pointer'] },
      { name: 'browser.screenshot', support: 'unsupported', capabilities: ['picture'] },
    ],
  };
  const manifest = {
    tools: [tool('cart.add', { requires: ['pointer.click'] }), tool('cart.photo', { requires: ['picture'] })],
    primitive_dictionary: dictionary,
  };

  const known = (ready: object): unknown => {
    const { bridge, runtime } = setUp();
    runtime(ready);
    return bridge.runtimes()[0]?.capabilities;
  };

  test("[BRG-93] come from runtime_ready, else from the map's dictionary, else are unknown", () => {
    expect(known({ capabilities: ['browser.screenshot'], manifest })).toEqual(['browser.screenshot']);
    expect(known({ capabilities: [], manifest })).toEqual([]);
    expect(known({ manifest })).toEqual(['pointer.click', 'pointer']);
    expect(known({ manifest: { tools: [] } })).toBeUndefined();
    expect(known({})).toBeUndefined();
  });

  test('[BRG-93] [BRG-154] block a tool that requires one known to be missing', () => {
    expect(outcome('cart.add', manifest)).toBe('sent');
    expect(outcome('cart.photo', manifest)).toEqual([
      errorLike('capability_unavailable', { capability: 'picture', runtime_id: 'r1' }),
    ]);
    expect(outcome('cart.photo', manifest, { capabilities: ['picture'] })).toBe('sent');
    expect(outcome('cart.add', manifest, { capabilities: ['picture'] })).toEqual([
      errorLike('capability_unavailable', { capability: 'pointer.click' }),
    ]);
  });

  test('[BRG-93] [BRG-154] block a primitive that the dictionary marks as unsupported', () => {
    expect(outcome('pointer.click', manifest)).toBe('sent');
    expect(outcome('browser.screenshot', manifest)).toEqual([
      errorLike('capability_unavailable', { capability: 'browser.screenshot' }),
    ]);
    expect(outcome('browser.screenshot', manifest, { capabilities: ['browser.screenshot'] })).toBe('sent');
    expect(outcome('pointer.click', manifest, { capabilities: ['dom'] })).toEqual([
      errorLike('capability_unavailable', { capability: 'pointer' }),
    ]);
  });

  test('[BRG-93] leave the refusal to the runtime when unknown', () => {
    expect(outcome('cart.photo', { tools: manifest.tools })).toBe('sent');
    expect(outcome('browser.screenshot')).toBe('sent');
  });

  test.each([
    { tools: [7, null, { name: 7 }, { name: 'cart.add', requires: 'x' }], imports: [7, { id: 7 }] },
    { tools: [{ name: 'cart.add', x_actions: 7 }], primitive_dictionary: { primitives: 'all' } },
    {
      tools: [{ name: 'cart.add', x_actions: { source: 'b' } }],
      primitive_dictionary: [{ name: 7 }],
      imports: {},
    },
  ])('[BRG-14] a map that is no map breaks nothing: %j', (map) => {
    expect(outcome('cart.add', map)).toBe('sent');
  });
});
