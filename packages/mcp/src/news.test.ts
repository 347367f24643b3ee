import { BridgeError } from '@drawbridge/protocol';
import { expect, test, vi } from 'vitest';
import { acted, callForText, connectClient, LAMP, lendTab, seen, startBridge } from '../test/mcp-harness.ts';

test('[BRG-197] begins with changes that came after the last answer', async () => {
  const bridge = startBridge();
  const { effect: late } = acted({ seen: ['text: Saving → Saved'], focus: '9' });
  lendTab(bridge, {
    'element.click': () => acted({ seen: ['text: 0 → 9'] }, { late }),
    'page.wait': () => ({ matched: true, for: 'stable', elapsed_ms: 7, url: '', late }),
    'page.snapshot': () => seen([LAMP], { late }),
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  const lines = async (name: string, args: Record<string, unknown>) =>
    (await callForText(client, name, args)).text.split('\n');
  const news = ['<page https://shop.example mark>', 'changed since the last answer:', 'text: Saving → Saved'];
  expect(await lines('act', { steps: [{ do: 'click', id: '1' }] })).toEqual([
    'click 1 ok',
    ...news,
    ...['by this step:', 'text: 0 → 9', '</page mark>'],
  ]);
  expect(await lines('wait', { for: 'stable' })).toEqual(['ok after 7 ms', ...news, '</page mark>']);
  expect((await lines('snapshot', {})).slice(0, 4)).toEqual([...news, '</page mark>']);
  expect((await lines('snapshot', {}))[0]).toMatch(/^unchanged since \w+, but for this$/);
});

test('types into the element with the focus, and names it', async () => {
  const bridge = startBridge();
  let focused: object | undefined = { id: '7' };
  const tab = lendTab(bridge, {
    'locator.element_info': () => {
      if (focused === undefined) throw new BridgeError('target_not_found', 'Nothing fits.');
      return focused;
    },
    'element.type': () => acted(),
  });
  const client = await connectClient(bridge);
  const steps = [{ do: 'type', value: 'Ada' }];
  expect((await callForText(client, 'act', { steps })).text).toBe('type 7 (it had the focus) ok');
  expect(tab.calls.at(-1)?.arguments).toEqual({ id: '7', text: 'Ada' });
  focused = undefined;
  const { text, isError } = await callForText(client, 'act', { steps });
  expect({ text, isError }).toEqual({
    text: expect.stringContaining('nothing has the focus'),
    isError: true,
  });
});

test('names a tab that opened after an answer in the next one, once', async () => {
  const bridge = startBridge();
  lendTab(bridge, { 'page.wait': () => ({ matched: true, for: 'stable', elapsed_ms: 7, url: '' }) });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  const wait = { for: 'stable', tab: 'r1' };
  expect((await callForText(client, 'wait', wait)).text).toBe('ok after 7 ms');
  lendTab(bridge, {}, { runtime_id: 'r2', url: 'https://shop.example/help', title: 'Help' });
  expect((await callForText(client, 'wait', wait)).text.split('\n')).toEqual([
    'ok after 7 ms',
    '<page tabs mark>',
    'r2 https://shop.example/help "Help"',
    '</page mark>',
    'A new tab is open: name it in `tab` to act there.',
  ]);
  expect((await callForText(client, 'wait', wait)).text).toBe('ok after 7 ms');
});

const HELP = { runtime_id: 'r2', url: 'https://shop.example/help', title: 'Help' };
const HELP_LINES = ['<page tabs mark>', 'r2 https://shop.example/help "Help"', '</page mark>'];
const press = { tab: 'r1', steps: [{ do: 'click', id: '1' }] };

test('[BRG-204] waits for a tab that a press opens, and for none after a press that opens none', async () => {
  const bridge = startBridge();
  let effect: object = { happened: false, watched_ms: 34 };
  const tab = lendTab(bridge, { 'element.click': () => acted(effect) });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  const lines = async () => (await callForText(client, 'act', press)).text.split('\n');
  await lines();
  // With timers stopped, a call that waits never ends.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  expect(await lines()).toEqual(['click 1 no change seen (watched 34 ms)']);
  effect = { opens_tab: true };
  const answer = lines();
  await vi.waitUntil(() => tab.calls.length === 3);
  lendTab(bridge, {}, HELP);
  await vi.advanceTimersByTimeAsync(100);
  vi.useRealTimers();
  expect(await answer).toEqual([
    'click 1 ok',
    ...['<page https://shop.example mark>', 'opened a tab', '</page mark>'],
    ...HELP_LINES,
    'A new tab is open: name it in `tab` to act there.',
  ]);
});

test('[BRG-204] names a tab that opens later than a press in the next answer', async () => {
  const bridge = startBridge();
  lendTab(bridge, { 'element.click': () => acted({ happened: false, watched_ms: 34 }) });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  const { text } = await callForText(client, 'act', press);
  expect(text).toBe('click 1 no change seen (watched 34 ms)');
  lendTab(bridge, {}, HELP);
  expect((await callForText(client, 'act', press)).text).toContain(HELP_LINES.join('\n'));
});

test('[BRG-205] takes the mark of an act as what an agent knows', async () => {
  const bridge = startBridge();
  const page = { nodes: [LAMP], id: 'k1-1', late: {} };
  const { effect: late } = acted({ seen: ['text: Saving → Saved'] });
  lendTab(bridge, {
    'page.snapshot': () => seen(page.nodes, { snapshot_id: page.id, ...page.late }),
    'element.click': () => {
      page.nodes = [{ ...LAMP, n: 'Dawn table lamp' }];
      return acted({ changed: [{ i: LAMP.i, n: 'Dawn table lamp' }] });
    },
  });
  const client = await connectClient(bridge);
  const text = async (name: string, args: object) => (await callForText(client, name, { ...args })).text;
  await text('snapshot', {});
  const act = await text('act', { steps: [{ do: 'click', id: LAMP.i }] });
  const since = /^<page \S+ (\w+)>$/m.exec(act)?.[1] ?? '';
  expect(await text('snapshot', { since })).toBe(`unchanged since ${since}`);
  expect(await text('snapshot', { since, fresh: true })).toContain('12 link Dawn table lamp');
  await text('act', { steps: [{ do: 'click', id: LAMP.i }] });
  page.late = { late };
  expect(await text('snapshot', { since })).toContain('text: Saving → Saved');
  page.late = {};
  await text('act', { steps: [{ do: 'click', id: LAMP.i }] });
  // Another document at the same address.
  page.id = 'k2-1';
  expect(await text('snapshot', { since })).not.toContain('unchanged');
});

test('[BRG-205] a change that an act only counted, or did not cause, is not unchanged', async () => {
  const bridge = startBridge();
  const CUP = { ...LAMP, i: '13', n: 'Cup' };
  const page = { nodes: [LAMP] };
  lendTab(bridge, {
    'page.snapshot': ({ query }) => seen(query === undefined ? page.nodes : [], { snapshot_id: 'k1-1' }),
    'element.click': () => {
      page.nodes = [LAMP, CUP];
      return acted({ added: [{ ...LAMP, i: '14' }], more: 1, unlisted: ['1 new link: Cup'] });
    },
  });
  const client = await connectClient(bridge);
  const text = async (name: string, args: object) => (await callForText(client, name, { ...args })).text;
  const markOf = (answer: string) => /^<page \S+ (\w+)>$/m.exec(answer)?.[1] ?? '';
  await text('snapshot', {});
  const since = markOf(await text('act', { steps: [{ do: 'click', id: LAMP.i }] }));
  expect(await text('snapshot', { since, query: 'Lamp' })).not.toContain('unchanged');
  page.nodes = [LAMP];
  await text('snapshot', { fresh: true });
  const again = markOf(await text('act', { steps: [{ do: 'click', id: LAMP.i }] }));
  expect(await text('snapshot', { since: again })).toContain('+13 link Cup');
});

test('[BRG-207] says that a tab opened which is not lent, and what to do', async () => {
  const bridge = startBridge();
  lendTab(bridge, { 'element.click': () => acted({ opens_tab: true }) });
  const { text } = await callForText(await connectClient(bridge), 'act', press);
  expect(text).toMatch(/A tab opened that is not lent to you\. Ask the person to lend it/);
});
