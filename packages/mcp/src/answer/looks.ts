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
export type Looks = ReturnType<typeof createLooks>;

const MOST_LOOKS = 16;
const MOST_ORDERED = 24;
const MOST_TOLD_CHARS = 100_000;

export function createLooks() {
  const kept = new Map<string, Look>();
  const last = new Map<string, Look>();
  const newest = new Map<string, string>();
  const toldSince = new Map<string, string>();
  const put = <Value>(store: Map<string, Value>, key: string, value: Value) => {
    store.delete(key);
    store.set(key, value);
    const [oldest] = store.keys();
    if (store.size > MOST_LOOKS && oldest !== undefined) store.delete(oldest);
  };
  return {
    add(tab: string, look: Look): void {
      put(last, tab, look);
      put(kept, look.mark, look);
      put(newest, tab, look.mark);
      toldSince.delete(tab);
    },
    /** A mark in the answer of an act at a tab: what it told, together with the last look there. */
    told(tab: string, mark: string, text: string): void {
      const look = last.get(tab);
      if (look === undefined) return;
      put(kept, mark, look);
      put(newest, tab, mark);
      put(toldSince, tab, `${toldSince.get(tab) ?? ''}\n${text}`.slice(-MOST_TOLD_CHARS));
    },
    /** Nothing later than this mark has been shown or told, and each change from then to this look has been. */
    isKnown(tab: string, mark: string, look: Look): boolean {
      const before = last.get(tab);
      if (before === undefined || newest.get(tab) !== mark) return false;
      return isTold(changedBetween(before, look), toldSince.get(tab) ?? '');
    },
    get: (mark: string): Look | undefined => kept.get(mark),
    /** The last one at a tab. */
    last: (tab: string): Look | undefined => last.get(tab),
  };
}

/**
 * Changes from one look to another: `~` changed and `+` new elements first, in page order, then new texts,
 * then what is gone.
 */
export function changesBetween(before: Look, after: Look): string[] {
  const { nodes, texts, gone, lost, order } = changedBetween(before, after);
  return [
    ...nodes.map(({ sign, text }) => sign + text),
    ...(order.length > 0
      ? [`order: ${order.slice(0, MOST_ORDERED).join(' ')}${order.length > MOST_ORDERED ? ' …' : ''}`]
      : []),
    ...texts.map((text) => `+${text}`),
    ...(gone.length > 0 ? [`-${gone.join(' ')}`] : []),
    ...lost.map((text) => `-${text}`),
  ];
}

interface Changed {
  readonly nodes: readonly { readonly sign: '+' | '~'; readonly id: string; readonly text: string }[];
  readonly texts: readonly string[];
  /** Ids. */
  readonly gone: readonly string[];
  readonly lost: readonly string[];
  /** Ids from the first to the last that has another place among those that were there before. */
  readonly order: readonly string[];
}

function changedBetween(before: Look, after: Look): Changed {
  const old = new Map(
    before.lines.flatMap(({ id, text }) => (id === undefined ? [] : [[id, text] as const])),
  );
  const now = new Set(after.lines.flatMap(({ id }) => id ?? []));
  const oldTexts = countOf(before);
  const nodes: Changed['nodes'][number][] = [];
  const texts: string[] = [];
  for (const { id, text } of after.lines) {
    if (id === undefined) {
      if (!takeOne(oldTexts, text)) texts.push(text);
    } else if (!old.has(id)) nodes.push({ sign: '+', id, text });
    else if (old.get(id) !== text) nodes.push({ sign: '~', id, text });
  }
  const gone = [...old.keys()].filter((id) => !now.has(id));
  const lost = [...oldTexts].flatMap(([text, count]) => Array<string>(count).fill(text));
  const order = reordered(
    [...old.keys()].filter((id) => now.has(id)),
    [...now].filter((id) => old.has(id)),
  );
  return { nodes, texts, gone, lost, order };
}

/** An act lists the nearest changes and counts the others; of other agents' acts it tells nothing. */
function isTold({ nodes, texts, gone, lost, order }: Changed, told: string): boolean {
  const ids = new Set(
    [...told.matchAll(/^(?:[+~](\S+)|-([\w ]+)$)/gm)].flatMap(
      ([, id, removed]) => id ?? removed?.split(' ') ?? [],
    ),
  );
  return (
    order.length === 0 &&
    nodes.every(({ id }) => ids.has(id)) &&
    gone.every((id) => ids.has(id)) &&
    [...texts, ...lost].every((text) => told.includes(text.replace(/^[^\p{L}\p{N}]+/u, '')))
  );
}

function reordered(before: readonly string[], after: readonly string[]): readonly string[] {
  const isMoved = (id: string, index: number) => before[index] !== id;
  return after.slice(Math.max(0, after.findIndex(isMoved)), after.findLastIndex(isMoved) + 1);
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
