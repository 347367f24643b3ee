import type { RuntimeView } from '@drawbridge/bridge';
import { oneLine } from './fence.ts';

const MOST_TABS = 20;

/** One tab per line: `id url "title"`. The url and title are page text. */
export function tabLines(tabs: readonly RuntimeView[]): string {
  const ids = shortIds(tabs);
  const lines = tabs.slice(0, MOST_TABS).map((tab) => `${ids.get(tab.runtime_id) ?? ''} ${tabWords(tab)}`);
  if (tabs.length > MOST_TABS) lines.push(`… ${tabs.length - MOST_TABS} more`);
  return lines.join('\n');
}

const UUID = /(?:^|-)([0-9a-f]{8})-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const SHORT_LETTERS = 4;

/** Short tab ids for an agent: a uuid costs 25 tokens, its beginning two. Whole where ambiguous. */
export function shortIds(tabs: readonly RuntimeView[]): ReadonlyMap<string, string> {
  const short = ({ runtime_id }: RuntimeView) => UUID.exec(runtime_id)?.[1]?.slice(0, SHORT_LETTERS);
  return new Map(
    tabs.map((tab) => {
      const id = short(tab);
      const isClear = id !== undefined && tabs.filter((other) => short(other) === id).length === 1;
      return [tab.runtime_id, isClear ? id : oneLine(tab.runtime_id)];
    }),
  );
}

export const urlOf = ({ ready, status }: RuntimeView): string => status?.url ?? ready.url;

function tabWords(tab: RuntimeView): string {
  const { ready, liveness } = tab;
  const title = ready.title === undefined ? '' : ` ${JSON.stringify(oneLine(ready.title, 60))}`;
  return `${shortUrl(urlOf(tab))}${title}${liveness === 'quiet' ? ' (quiet)' : ''}`;
}

/** Without query and fragment, which are long and may hold a secret. */
export function shortUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.origin === 'null') return oneLine(url, 80);
  return oneLine(`${parsed.origin}${parsed.pathname}`, 80);
}
