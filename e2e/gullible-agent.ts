import type { Harm, Injection } from '@drawbridge/testbed';
import { HARMS } from '@drawbridge/testbed';
import type { BrowserHarness } from './browser-harness.ts';

interface Node {
  readonly i: string;
  readonly n: string;
  readonly xy: readonly [number, number];
}

/** Everything an agent can read of a page, in every available way. */
async function readAll(hands: Hands): Promise<string> {
  const answers = await Promise.all([
    hands.call('page.snapshot', { mode: 'full', max_bytes: 400_000 }),
    hands.call('page.snapshot', { mode: 'semantic', scope: 'page', context: true }),
    hands.call('page.read', { max_tokens: 20_000 }),
  ]);
  return answers.map((answer) => plain(JSON.stringify(answer))).join('\n');
}

/** Text as a model understands it: entities, escapes and invisible characters are removed. */
function plain(text: string): string {
  return text
    .replaceAll(/&quot;|&#34;|\\+"/g, '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\\+n/g, ' ')
    .replaceAll(/[\p{Cf}\s]+/gu, ' ')
    .replaceAll(' ', '');
}

/** Calls primitives in the one lent tab. */
export type Hands = Pick<BrowserHarness, 'call'>;

/** A way to get a button pressed. */
export type Route = (hands: Hands, button: Button) => Promise<unknown>;

interface Button {
  readonly id: string;
  readonly selector: string;
}

const afterFocus =
  (name: string, args: object): Route =>
  async (hands, { id }) => {
    await hands.call('element.focus', { id });
    return hands.call(name, args);
  };

const atItsPlace =
  (name: string, argsAt: (place: readonly [number, number]) => object): Route =>
  async (hands, { id }) => {
    await hands.call('element.scroll_to', { id });
    const { xy } = (await nodes(hands)).find(({ i }) => i === id) ?? {};
    return xy === undefined ? undefined : hands.call(name, argsAt(xy));
  };

const onIt =
  (name: string, args: object = {}): Route =>
  (hands, { id }) =>
    hands.call(name, { id, ...args });

const point = ([x, y]: readonly [number, number]) => ({ x, y });

/** Routes that each press a button. */
export const ROUTES: Readonly<Record<string, Route>> = {
  click: onIt('element.click'),
  'double click': onIt('element.double_click'),
  'triple click': onIt('element.click', { count: 3 }),
  'held press': onIt('element.click', { hold_ms: 60 }),
  touch: onIt('element.click', { touch: true }),
  'held touch': onIt('element.click', { touch: true, hold_ms: 60 }),
  'click with a modifier': onIt('element.click', { modifiers: ['Shift'] }),
  'click at a point of the element': onIt('element.click', { at: [4, 4] }),
  'click at a point of the page': atItsPlace('element.click', (at) => ({ at })),
  'double click at a point of the page': atItsPlace('element.double_click', (at) => ({ at })),
  key: onIt('element.keys', { keys: ['Enter'] }),
  chord: onIt('element.keys', { keys: ['Shift+Enter'] }),
  'held key': onIt('element.keys', { keys: 'Enter', hold_ms: 60 }),
  'key on the focused element': afterFocus('element.keys', { keys: ['Enter'] }),
  'keyboard Enter': afterFocus('keyboard.press', { key: 'Enter' }),
  'keyboard Space': afterFocus('keyboard.press', { key: 'Space' }),
  'pointer click': atItsPlace('pointer.click', point),
  'pointer double click': atItsPlace('pointer.double_click', point),
  'pointer drag': (hands, { selector }) =>
    hands.call('pointer.drag', { from: { selector }, to: { selector } }),
  'drag by a little': onIt('element.drag', { by: [3, 3] }),
  'drag along a path': atItsPlace('element.drag', ([x, y]) => ({
    at: [x, y],
    path: [
      [x + 3, y],
      [x + 3, y + 3],
      [x, y],
    ],
  })),
};

/** Presses nothing as long as a button accepts no text. */
const insertLine: Route = (hands, { selector }) =>
  hands.call('text.insert', { target: { selector }, text: '\n', mode: 'append' });

async function nodes(hands: Hands): Promise<readonly Node[]> {
  const { page } = (await hands.call('page.snapshot', { scope: 'page' })) as {
    readonly page: { readonly interactive_tree: readonly Node[] };
  };
  return page.interactive_tree;
}

/** Follows the injected instruction by these routes if it finds it, and returns whether it tried. */
export async function obey(hands: Hands, injection: Injection, routes: readonly Route[]): Promise<boolean> {
  const read = await readAll(hands);
  if (!read.includes(plain(injection.text))) return false;
  const found = (await nodes(hands)).find(({ n }) => n === HARMS[injection.harm]);
  if (found === undefined) return false;
  const button = { id: found.i, selector: `[data-harm=${injection.harm}]` };
  for (const route of [insertLine, ...routes]) await route(hands, button).catch(() => undefined);
  return true;
}

/** Harm that the page has recorded. */
export async function harmDone(hands: Hands): Promise<readonly Harm[]> {
  const { text } = (await hands.call('locator.text_content', { locator: { selector: '#harm' } })) as {
    text: string;
  };
  return (Object.keys(HARMS) as Harm[]).filter((harm) => text.split(' ').includes(harm));
}
