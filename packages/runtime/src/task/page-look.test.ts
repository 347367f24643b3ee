import { BridgeError, interactRequest as request } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { type CallBodyOptions, createCallBody } from './call-page.ts';
import type { BodyCall } from './page-call.ts';
import { interactRequest } from './request.ts';

type Args = Readonly<Record<string, unknown>>;

const BROKEN = new BridgeError('handler_failed', 'The page threw.');
const { signal } = new AbortController();

const TREE = { mode: 'semantic', url: 'https://shop.test/', title: 'Shop' };
const NODES = [{ id: '7', role: 'button', name: 'Add to cart' }];
const SKELETON = '<button id="7">Add to cart</button><a id="8" href="/cart">Cart</a>';

/** A tab with scripted answers; other calls fail. */
function tab(answers: Readonly<Record<string, (args: Args) => unknown>>, options: CallBodyOptions = {}) {
  const calls: string[] = [];
  const call: BodyCall = async (name, args) => {
    const kind = name === 'page.snapshot' ? String(args['form'] ?? args['mode']) : name;
    calls.push(kind);
    const answer = answers[kind];
    if (answer === undefined) throw BROKEN;
    return answer(args);
  };
  const { perceive } = createCallBody(call, options);
  return {
    calls,
    perceive,
    async sent(query = 'Put a lamp into the cart', wanted = {}) {
      const seen = await perceive({ query, ...wanted }, signal);
      const task = { taskId: 'task-1', query, maxSteps: 3 };
      return request.read(JSON.parse(JSON.stringify(interactRequest({ task, seen, query }))));
    },
  };
}

const info = () => ({ url: TREE.url, title: TREE.title });
const semantic = () => ({
  mode: 'semantic',
  page: { ...TREE, interactive_tree: [{ i: '7', r: 'btn', n: 'Add to cart' }] },
});
const fullKeys = () => ({ mode: 'semantic', semanticNodes: NODES });
const full = ({ max_bytes }: Args) => ({ mode: 'full', html: 'x'.repeat(Number(max_bytes ?? 60_000)) });
const skeleton = () => ({ mode: 'skeleton', html: SKELETON });
const picture = () => ({ image: '/9j/4AAQ', mime_type: 'image/jpeg', width: 1024, height: 640, scale: 0.8 });
const WHOLE = {
  'page.info': info,
  semantic,
  full_keys: fullKeys,
  full,
  skeleton,
  'browser.screenshot': picture,
};
const { semantic: _tree, ...WITHOUT_TREE } = WHOLE;
const { full_keys: _nodes, ...WITHOUT_NODES } = WITHOUT_TREE;

test('[INT-108] [INT-267] [INT-274] captures nothing else when there is a tree', async () => {
  const { sent, calls } = tab(WHOLE);
  expect(await sent('What is the icon on the right?')).toMatchObject({
    domMode: 'semantic',
    interactiveTree: [{ i: '7' }],
  });
  expect(calls).not.toContain('browser.screenshot');
  expect(calls).not.toContain('full');
  expect(calls).not.toContain('skeleton');
});

test.each([
  ['fails', WITHOUT_TREE],
  ['is empty', { ...WHOLE, semantic: () => ({ mode: 'semantic', page: { ...TREE, interactive_tree: [] } }) }],
])('[INT-108] [INT-255] when V3 %s, V2 goes with a short dom', async (_how, answers) => {
  const { sent } = tab(answers);
  const call = await sent();
  expect(call).toMatchObject({ domMode: 'semantic', semanticNodes: NODES, pageTitle: 'Shop' });
  expect(call.dom).toHaveLength(10_000);
  expect(call).not.toHaveProperty('interactiveTree');
});

const selectMode: CallBodyOptions['selectMode'] = (query, { interactiveElements }) =>
  query.includes('icon') || interactiveElements > 50 ? 'hybrid' : 'skeleton';

test('[INT-108] [INT-267] lets the query and the page select skeleton or hybrid when semantic fails', async () => {
  const { sent, calls } = tab(WITHOUT_NODES, { selectMode });
  const plain = await sent('Click Add to cart');
  expect(plain).toMatchObject({ domMode: 'skeleton', skeletonDom: SKELETON });
  for (const key of ['interactiveTree', 'semanticNodes', 'dom', 'screenshot']) {
    expect(plain).not.toHaveProperty(key);
  }
  expect(calls).not.toContain('browser.screenshot');
  const visual = await sent('Click the icon');
  expect(visual).toMatchObject({ domMode: 'hybrid', skeletonDom: SKELETON, screenshot: '/9j/4AAQ' });
  expect(await sent('Click the icon')).toMatchObject({ screenshot: null });
  const crowded = tab(
    { ...WITHOUT_NODES, skeleton: () => ({ mode: 'skeleton', html: SKELETON.repeat(30) }) },
    { selectMode },
  );
  expect(await crowded.sent('Click it')).toMatchObject({ domMode: 'hybrid' });
});

test('[INT-109] does not try semantic capture when it is switched off', async () => {
  const { sent, calls } = tab(WHOLE, { selectMode, semantic: () => false });
  expect(await sent('Click it')).toMatchObject({ domMode: 'skeleton', skeletonDom: SKELETON });
  expect(await sent('Click the icon')).toMatchObject({ domMode: 'hybrid', screenshot: '/9j/4AAQ' });
  expect(calls).not.toContain('semantic');
  expect(calls).not.toContain('full_keys');
});

test('[INT-274] sends a full DOM when requested, in the other modes too', async () => {
  expect((await tab(WHOLE).sent('Click it', { dom: true })).dom).toHaveLength(60_000);
  const asked = await tab(WITHOUT_NODES, { selectMode }).sent('Click it', { dom: true });
  expect(asked).toMatchObject({ domMode: 'skeleton', skeletonDom: SKELETON });
  expect(asked.dom).toHaveLength(60_000);
});

test('[INT-77] looks again at a page that navigates during the look', async () => {
  let looks = 0;
  const moving = tab({
    ...WHOLE,
    semantic: () => {
      looks++;
      const url = looks === 1 ? 'https://shop.test/old' : TREE.url;
      return { mode: 'semantic', page: { ...TREE, url, interactive_tree: [{ i: '7', r: 'btn', n: url }] } };
    },
  });
  const { url, interactiveTree, screenshot } = await moving.sent('Buy it', { screenshot: true });
  expect({ url, tree: interactiveTree?.[0]?.n }).toEqual({ url: TREE.url, tree: TREE.url });
  // Nothing of the first look was sent: its screenshot is new to the server.
  expect(screenshot).toBe('/9j/4AAQ');
  let asked = 0;
  const restless = tab({ ...WHOLE, 'page.info': () => ({ ...info(), url: `https://shop.test/${++asked}` }) });
  expect((await restless.sent()).url).toBe('https://shop.test/3');
  const masked = tab({ ...WHOLE, 'page.info': () => ({ ...info(), url: 'https://shop.test/?code=1' }) });
  expect((await masked.sent()).url).toBe(TREE.url);
  expect(masked.calls.filter((call) => call === 'semantic')).toHaveLength(2);
});

test('does not try another capture for an unreachable tab', async () => {
  const gone = () => {
    throw new BridgeError('transport_failed', 'The tab is gone.');
  };
  const { perceive, calls } = tab({ ...WHOLE, semantic: gone });
  await expect(perceive({}, signal)).rejects.toMatchObject({ code: 'transport_failed' });
  expect(calls).not.toContain('full_keys');
});
