/** A page as it was shown to an agent, line by line; a node's line has its id. */
export interface Look {
  readonly mark: string;
  readonly text: string;
  readonly lines: readonly LookLine[];
  /** Tells documents apart, at one address too. */
  readonly document?: string;
}

export interface LookLine {
  readonly id?: string;
  readonly text: string;
}

/** The last looks of one agent, for answers that say only what changed. */
export interface Looks {
  readonly add: (tab: string, look: Look) => void;
  readonly get: (mark: string) => Look | undefined;
  /** A mark in the answer of an act at a tab: what it told, together with the last look there. */
  readonly told: (tab: string, mark: string) => void;
  /** Nothing later than this mark has been shown or told. */
  readonly isNewest: (tab: string, mark: string) => boolean;
  /** The last one at a tab. */
  readonly last: (tab: string) => Look | undefined;
}

const MOST_LOOKS = 16;

export function createLooks(): Looks {
  const kept = new Map<string, Look>();
  const last = new Map<string, Look>();
  const newest = new Map<string, string>();
  const put = <Value>(store: Map<string, Value>, key: string, value: Value) => {
    store.delete(key);
    store.set(key, value);
    const [oldest] = store.keys();
    if (store.size > MOST_LOOKS && oldest !== undefined) store.delete(oldest);
  };
  return {
    add(tab, look) {
      put(last, tab, look);
      put(kept, look.mark, look);
      put(newest, tab, look.mark);
    },
    told(tab, mark) {
      const look = last.get(tab);
      if (look === undefined) return;
      put(kept, mark, look);
      put(newest, tab, mark);
    },
    isNewest: (tab, mark) => newest.get(tab) === mark,
    get: (mark) => kept.get(mark),
    last: (tab) => last.get(tab),
  };
}

/**
 * Changes from one look to another: `~` changed and `+` new elements first, in page order, then new texts,
 * then what is gone.
 */
export function changesBetween(before: Look, after: Look): string[] {
  const old = new Map(
    before.lines.flatMap(({ id, text }) => (id === undefined ? [] : [[id, text] as const])),
  );
  const now = new Set(after.lines.flatMap(({ id }) => id ?? []));
  const oldTexts = countOf(before);
  const nodes: string[] = [];
  const texts: string[] = [];
  for (const { id, text } of after.lines) {
    if (id === undefined) {
      if (!takeOne(oldTexts, text)) texts.push(`+${text}`);
    } else if (!old.has(id)) nodes.push(`+${text}`);
    else if (old.get(id) !== text) nodes.push(`~${text}`);
  }
  const gone = [...old.keys()].filter((id) => !now.has(id));
  const lost = [...oldTexts].flatMap(([text, count]) => Array<string>(count).fill(`-${text}`));
  return [...nodes, ...texts, ...(gone.length > 0 ? [`-${gone.join(' ')}`] : []), ...lost];
}

function countOf({ lines }: Look): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { id, text } of lines) if (id === undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function takeOne(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0;
  if (count > 0) counts.set(text, count - 1);
  return count > 0;
}
