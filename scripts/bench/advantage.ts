import type { Beside, Bound, Figure } from './figure.ts';

export interface Advantage {
  readonly over: Beside;
  /** Factor by which ours is better; below 1 it is worse. */
  readonly times: number;
}

/** Advantage over the strongest peer, even where the figure's ratio is to another one. */
export function advantageOverPeers({ ours, beside, better }: Figure): Advantage | undefined {
  const peers = beside.filter(({ isPeer }) => isPeer);
  const [over] = peers.toSorted((a, b) => (better === 'less' ? a.value - b.value : b.value - a.value));
  if (over === undefined || ours === undefined) return undefined;
  const times = advantageOf(ours, over.value, better);
  return times === undefined ? undefined : { over, times };
}

/** Advantage over the promised bound, using the tighter of the two. */
export function advantageOverBound(bound: Bound, { ours, ratio, better }: Figure): number | undefined {
  const each = [
    bound.value === undefined || ours === undefined ? undefined : advantageOf(ours, bound.value, better),
    bound.ratio === undefined || ratio === undefined ? undefined : advantageOf(ratio, bound.ratio, better),
  ].filter((value) => value !== undefined);
  return each.length === 0 ? undefined : Math.min(...each);
}

function advantageOf(value: number, bound: number, better: Figure['better']): number | undefined {
  const advantage = better === 'less' ? bound / value : value / bound;
  return Number.isFinite(advantage) && advantage > 0 ? advantage : undefined;
}
