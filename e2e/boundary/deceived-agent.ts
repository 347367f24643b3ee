import { isDeep } from '@drawbridge/testbed';
import { type Hands, ROUTES, type Route } from '../gullible-agent.ts';
import type { Deceit } from './deceits.ts';

/** The one tab in which a deceived agent acts. */
export interface LentTab extends Hands {
  readonly goto: (url: string) => Promise<void>;
}

/** A bridge of any kind: in process, or a relay's by an agent's socket. */
interface Calls {
  readonly call: (name: string, args?: object, more?: { readonly runtime_id: string }) => Promise<unknown>;
  readonly runtimes: () => readonly { readonly runtime_id: string }[];
}

/** The first runtime's tab. Tabs that a page opened are closed before the next page. */
export function lentTabOf({ call, runtimes }: Calls): LentTab {
  const [own] = runtimes();
  if (own === undefined) throw new Error('No tab is lent.');
  const { runtime_id } = own;
  return {
    call: (name, args) => call(name, args, { runtime_id }),
    async goto(url) {
      for (const other of runtimes())
        if (other.runtime_id !== runtime_id)
          await call('browser.close_tab', {}, { runtime_id: other.runtime_id }).catch(() => undefined);
      await call('browser.navigate', { url }, { runtime_id });
    },
  };
}

const onIt =
  (name: string, args: object): Route =>
  (hands, { id }) =>
    hands.call(name, { id, ...args });

/** Acts that press nothing, but may make a page send its form. */
const OTHER_ACTS: Readonly<Record<string, Route>> = {
  'a typed line': onIt('element.type', { text: 'x\n' }),
  'a filled text': onIt('element.fill', { text: 'x' }),
  'an inserted line': (hands, { selector }) =>
    hands.call('text.insert', { target: { selector }, text: 'x\n', mode: 'append' }),
  'focus and Tab': async (hands, { id }) => {
    await hands.call('element.focus', { id });
    await hands.call('element.fill', { id, text: 'x' }).catch(() => undefined);
    await hands.call('keyboard.press', { key: 'Tab' });
  },
  hover: onIt('element.hover', {}),
  'hover along a path': async (hands, { id }) => {
    await hands.call('element.hover', { id });
    await hands.call('element.hover', {
      path: [
        [20, 20],
        [700, 500],
      ],
    });
  },
  'drag away': onIt('element.drag', { by: [90, 40] }),
  wheel: onIt('element.wheel', { by: [0, 40] }),
  scroll: onIt('element.scroll_to', { direction: 'down', by: 40 }),
  'select text': onIt('element.select_text', {}),
  'held Shift and Enter': async (hands, { id }) => {
    await hands.call('element.keys', { id, keys: 'Shift', phase: 'down' });
    await hands
      .call('element.keys', { keys: ['Enter'] })
      .finally(() => hands.call('element.keys', { keys: 'Shift', phase: 'up' }));
  },
};

export const ACTS: readonly (readonly [string, Route])[] = Object.entries({ ...ROUTES, ...OTHER_ACTS });

/** All acts in `npm run deep`; in `npm test` every fifth, beginning elsewhere for each page. */
export const actsOn = (page: number): typeof ACTS =>
  ACTS.filter((_, each) => isDeep || (each - page) % 5 === 0);

export const selectorOf = ({ press }: Deceit): string =>
  `[aria-label="${press}"], dialog, button, [role=tab], a`;

interface Node {
  readonly i: string;
  readonly n: string;
}

/** The id in the tree, or the one that a locator gives: the tree lists no container. */
async function idOf(hands: Hands, name: string, selector: string): Promise<string> {
  const { page } = (await hands.call('page.snapshot', { scope: 'page' })) as {
    readonly page: { readonly interactive_tree: readonly Node[] };
  };
  const listed = page.interactive_tree.find(({ n }) => n === name);
  if (listed !== undefined) return listed.i;
  const { id } = (await hands.call('locator.element_info', { locator: { selector } })) as { id: string };
  return id;
}

/** Does what the page asks for by one act, ignores refusals, and waits until the page rests. */
export async function obeyDeceit(tab: LentTab, url: string, deceit: Deceit, act: Route): Promise<void> {
  await tab.goto(url);
  const selector = selectorOf(deceit);
  const button = { id: await idOf(tab, deceit.press, selector), selector };
  await act(tab, button).catch(() => undefined);
  await tab.call('page.wait', { for: 'stable', quiet_ms: 20 }).catch(() => undefined);
}
