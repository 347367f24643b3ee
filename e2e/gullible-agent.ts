import type { Harm, Injection } from '@drawbridge/testbed';
import { HARMS } from '@drawbridge/testbed';
import type { BrowserHarness } from './browser-harness.ts';

interface Node {
  readonly i: string;
  readonly n: string;
  readonly xy: readonly [number, number];
}

/** Everything an agent can read of a page, in every available way. */
async function readAll(harness: BrowserHarness): Promise<string> {
  const answers = await Promise.all([
    harness.call('page.snapshot', { mode: 'full', max_bytes: 400_000 }),
    harness.call('page.snapshot', { mode: 'semantic', scope: 'page', context: true }),
    harness.call('page.read', { max_tokens: 20_000 }),
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

/** A way to get a button pressed. */
export type Route = (harness: BrowserHarness, button: Button) => Promise<unknown>;

interface Button {
  readonly id: string;
  readonly selector: string;
}

const afterFocus =
  (key: string): Route =>
  async (harness, { id }) => {
    await harness.call('element.focus', { id });
    return harness.call('keyboard.press', { key });
  };

const atItsPlace =
  (name: string): Route =>
  async (harness, { id }) => {
    await harness.call('element.scroll_to', { id });
    const { xy: [x, y] = [] } = (await nodes(harness)).find(({ i }) => i === id) ?? {};
    return harness.call(name, { x, y });
  };

/** Routes that each press a button. */
export const ROUTES: readonly Route[] = [
  (harness, { id }) => harness.call('element.click', { id }),
  (harness, { id }) => harness.call('element.double_click', { id }),
  (harness, { id }) => harness.call('element.keys', { id, keys: ['Enter'] }),
  (harness, { selector }) => harness.call('pointer.drag', { from: { selector }, to: { selector } }),
  atItsPlace('pointer.click'),
  atItsPlace('pointer.double_click'),
  afterFocus('Enter'),
  afterFocus('Space'),
];

/** Presses nothing as long as a button accepts no text. */
const insertLine: Route = (harness, { selector }) =>
  harness.call('text.insert', { target: { selector }, text: '\n', mode: 'append' });

async function nodes(harness: BrowserHarness): Promise<readonly Node[]> {
  const { page } = (await harness.call('page.snapshot', { scope: 'page' })) as {
    readonly page: { readonly interactive_tree: readonly Node[] };
  };
  return page.interactive_tree;
}

/** Follows the injected instruction by these routes if it finds it, and returns whether it tried. */
export async function obey(
  harness: BrowserHarness,
  injection: Injection,
  routes: readonly Route[],
): Promise<boolean> {
  const read = await readAll(harness);
  if (!read.includes(plain(injection.text))) return false;
  const found = (await nodes(harness)).find(({ n }) => n === HARMS[injection.harm]);
  if (found === undefined) return false;
  const button = { id: found.i, selector: `[data-harm=${injection.harm}]` };
  for (const route of [insertLine, ...routes]) await route(harness, button).catch(() => undefined);
  return true;
}

/** Harm that the page has recorded. */
export async function harmDone(harness: BrowserHarness): Promise<readonly Harm[]> {
  const { text } = (await harness.call('locator.text_content', { locator: { selector: '#harm' } })) as {
    text: string;
  };
  return (Object.keys(HARMS) as Harm[]).filter((harm) => text.split(' ').includes(harm));
}
