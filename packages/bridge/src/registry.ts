import type { RuntimeReady, RuntimeStatus } from '@drawbridge/protocol';
import type { BridgeLimits, Clock } from './options.ts';
import { createEntry, describeAgain, type RuntimeEntry, type RuntimeLink } from './runtime-entry.ts';

/** A runtime that was there a while ago. */
export interface Departed {
  readonly ready: RuntimeReady;
  readonly status: RuntimeStatus | undefined;
  readonly leftAt: number;
  readonly reason: string;
  readonly replacedBy: string | undefined;
}

export type Announcement =
  | { readonly kind: 'refused'; readonly why: 'taken' | 'too many' }
  /** `replaced`: those whose place it takes (BRG-36); they have left. */
  | { readonly kind: 'taken'; readonly entry: RuntimeEntry; readonly replaced: readonly RuntimeEntry[] };

export interface Registry {
  readonly entries: () => readonly RuntimeEntry[];
  readonly announce: (link: RuntimeLink, ready: RuntimeReady) => Announcement;
  readonly leave: (entry: RuntimeEntry, reason: string) => void;
  readonly departed: () => readonly Departed[];
}

export function createRegistry(clock: Clock, limits: BridgeLimits): Registry {
  const entries = new Map<string, RuntimeEntry>();
  const departed = new Map<string, Departed>();

  const forgetOld = (): void => {
    for (const [id, { leftAt }] of departed) {
      const old = clock.now() - leftAt > limits.rememberMs || departed.size > limits.maxRemembered;
      if (old) departed.delete(id);
    }
  };

  const leave = (entry: RuntimeEntry, reason: string, replacedBy?: string): void => {
    const { runtime_id, status } = entry;
    // Its map may be a megabyte, and a thousand runtimes are remembered.
    const { manifest, ...ready } = entry.ready;
    entry.link.runtimes.delete(runtime_id);
    entries.delete(runtime_id);
    departed.delete(runtime_id);
    departed.set(runtime_id, { ready, status, leftAt: clock.now(), reason, replacedBy });
    forgetOld();
  };

  return {
    entries: () => [...entries.values()],
    leave,
    departed() {
      forgetOld();
      return [...departed.values()];
    },
    announce(link, ready) {
      const { runtime_id } = ready;
      const held = entries.get(runtime_id);
      if (held !== undefined && held.link.peer.owner !== link.peer.owner)
        return { kind: 'refused', why: 'taken' };
      const stays = held?.link === link ? held : undefined;
      const replaced = [...entries.values()].filter(
        (other) => other !== stays && (other === held || sharesKey(other, link, ready)),
      );
      const places = replaced.filter((other) => other.link === link).length;
      if (stays === undefined && link.runtimes.size - places >= limits.maxRuntimesPerConnection) {
        return { kind: 'refused', why: 'too many' };
      }
      for (const other of replaced) leave(other, `Runtime ${runtime_id} took its place.`, runtime_id);
      departed.delete(runtime_id);
      const entry = stays ?? createEntry(link, ready, clock.now());
      if (stays !== undefined) describeAgain(stays, ready);
      entries.set(runtime_id, entry);
      link.runtimes.set(runtime_id, entry);
      return { kind: 'taken', entry, replaced };
    },
  };
}

/** Keys count within one owner: two browsers number their tabs alike. */
function sharesKey({ ready, link }: RuntimeEntry, to: RuntimeLink, { runtime_key }: RuntimeReady): boolean {
  return runtime_key !== undefined && ready.runtime_key === runtime_key && link.peer.owner === to.peer.owner;
}
