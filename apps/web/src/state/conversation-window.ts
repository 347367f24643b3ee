import type { Entry } from '@drawbridge/ui/model';
import type { Conversation } from './conversation.ts';

/** Entries kept while no reader is further up; older ones are loaded again on scrolling. */
export const MAX_ENTRIES = 1_000;
export const MOST_ENTRIES = 2_000;

export const reindexed = (
  entries: Entry[],
): { readonly entries: Entry[]; readonly index: Conversation['index']; readonly base: number } => ({
  entries,
  index: new Map(entries.map(({ id }, at) => [id, at])),
  base: 0,
});

/** Only where older entries can be requested, and not while they load. */
export function shortened({ entries, isHeld, history }: Conversation): ReturnType<typeof reindexed> | object {
  if (entries.length <= MOST_ENTRIES || isHeld || history.state !== 'there') return {};
  const from = entries.findIndex(
    ({ sequence }, at) => at >= entries.length - MAX_ENTRIES && sequence !== undefined,
  );
  const before = entries[from]?.sequence;
  if (before === undefined) return {};
  return { ...reindexed(entries.slice(from)), history: { state: 'there', before } };
}
