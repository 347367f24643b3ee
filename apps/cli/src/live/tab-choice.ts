import { createInterface } from 'node:readline/promises';
import type { ControlPlane } from '@drawbridge/runtime';
import type { KnownTab } from '@drawbridge/runtime/cdp';
import { plainText } from '../ask/plain-text.ts';
import type { Terminal } from '../command.ts';

/** The part of a browser needed to lend its tabs. */
export interface LendingBrowser {
  readonly knownTabs: () => readonly KnownTab[];
  readonly lend: (targetId: string) => Promise<unknown>;
  readonly controlPlane: Pick<ControlPlane, 'has'>;
}

const MAX_SHOWN_CHARS = 54;

/** BRG-131: lends only named tabs of a browser that we did not start. */
export async function lendTabs(
  browser: LendingBrowser,
  texts: readonly string[] | undefined,
  terminal: Terminal,
): Promise<void> {
  // The relay's own pages are never lent, even if named.
  const tabs = browser.knownTabs().filter(({ url }) => !browser.controlPlane.has(url));
  const chosen = texts === undefined ? await askedFor(tabs, terminal) : named(tabs, texts);
  for (const { target_id } of chosen) await browser.lend(target_id);
}

function named(tabs: readonly KnownTab[], texts: readonly string[]): readonly KnownTab[] {
  const fits = ({ url, title }: KnownTab, text: string) =>
    `${url}\n${title}`.toLowerCase().includes(text.toLowerCase());
  const lost = texts.find((text) => !tabs.some((tab) => fits(tab, text)));
  if (lost !== undefined)
    throw new Error(
      [`No tab has "${lost}" in its address or title. There are:`, ...tabs.map(tabLine)].join('\n'),
    );
  return tabs.filter((tab) => texts.some((text) => fits(tab, text)));
}

async function askedFor(tabs: readonly KnownTab[], terminal: Terminal): Promise<readonly KnownTab[]> {
  if (terminal.stdin.isTTY !== true)
    throw new Error('There is no terminal to ask which tabs to lend. Name them with --lend TEXT.');
  terminal.printError('Which tabs may agents read and use?');
  for (const [index, tab] of tabs.entries()) terminal.printError(`${index + 1}${tabLine(tab)}`);
  const asking = createInterface({ input: terminal.stdin });
  try {
    terminal.printError('Numbers, such as 1 3 (Enter for none):');
    const [line = ''] = await nextLine(asking);
    const numbers = line.match(/\d+/g) ?? [];
    const chosen = numbers.flatMap((number) => tabs[Number(number) - 1] ?? []);
    if (chosen.length === 0) throw new Error('No tab was lent, so there is nothing to do.');
    return chosen;
  } finally {
    asking.close();
  }
}

const nextLine = (asking: ReturnType<typeof createInterface>): Promise<readonly string[]> =>
  new Promise((resolve) => {
    asking.once('line', (line) => resolve([line]));
    asking.once('close', () => resolve([]));
  });

const tabLine = ({ url, title }: KnownTab): string =>
  `  ${plainText(title || url, MAX_SHOWN_CHARS)}\n   ${plainText(url, MAX_SHOWN_CHARS)}`;
