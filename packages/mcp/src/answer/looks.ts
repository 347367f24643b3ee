/** A page as it was shown to an agent, line by line; a node's line has its id. */
export interface Look {
  readonly mark: string;
  readonly text: string;
  readonly lines: readonly LookLine[];
}

export interface LookLine {
  readonly id?: string;
  readonly text: string;
}

/** The last looks of one agent, for answers that say only what changed. */
export interface Looks {
  readonly add: (tab: string, look: Look) => void;
  readonly get: (mark: string) => Look | undefined;
  /** The last one at a tab. */
  readonly last: (tab: string) => Look | undefined;
}

const MOST_LOOKS = 16;

export function createLooks(): Looks {
  const kept = new Map<string, Look>();
  const last = new Map<string, Look>();
  return {
    add(tab, look) {
      last.delete(tab);
      last.set(tab, look);
      kept.delete(look.mark);
      kept.set(look.mark, look);
      for (const store of [kept, last]) {
        const [oldest] = store.keys();
        if (store.size > MOST_LOOKS && oldest !== undefined) store.delete(oldest);
      }
    },
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
