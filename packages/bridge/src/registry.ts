import type { Clock } from '@drawbridge/base';
import type { BridgeFeature, HeldGrant, RuntimeReady, RuntimeStatus } from '@drawbridge/protocol';
import type { Peer, RuntimeView } from './bridge.ts';
import type { BridgeLimits } from './options.ts';
import type { OpenQuestion } from './permission-questions.ts';
import { capabilitiesOf } from './site-map.ts';

/** One connection of a runtime host, which may announce several runtimes. */
export interface RuntimeLink {
  readonly peer: Peer;
  readonly runtimes: Map<string, RuntimeEntry>;
  /** By `question_id`. */
  readonly questions: Map<string, OpenQuestion>;
  open: boolean;
  /** The relay names that it was sent last. */
  relayHosts: string;
}

export interface RuntimeEntry {
  readonly runtime_id: string;
  readonly link: RuntimeLink;
  ready: RuntimeReady;
  /** All statuses merged: a missing field keeps its value (BRG-32). */
  status: RuntimeStatus | undefined;
  lastSeenAt: number;
  /** The latest grants of a runtime that named `grants`. */
  grants: readonly HeldGrant[] | undefined;
  /** Length of its `runtime_ready` as JSON. */
  chars: number;
}

/** The fields that a selector reads. */
export type Described = Pick<RuntimeEntry, 'ready' | 'status'>;

/** A runtime that left. */
export interface Departed {
  readonly owner: string | undefined;
  readonly ready: RuntimeReady;
  readonly status: RuntimeStatus | undefined;
  readonly leftAt: number;
  readonly reason: string;
  readonly replacedBy: string | undefined;
}

export type WhyNot = 'taken' | 'too many' | 'too many of a device' | 'too large';

export type Announcement =
  | { readonly kind: 'refused'; readonly why: WhyNot }
  /** `replaced`: the runtimes that it replaces (BRG-36), which have left. */
  | { readonly kind: 'taken'; readonly entry: RuntimeEntry; readonly replaced: readonly RuntimeEntry[] };

export function createRegistry(clock: Clock, limits: BridgeLimits) {
  const entries = new Map<string, RuntimeEntry>();
  const departed = new Map<string, Departed>();

  const forgetOld = (): void => {
    for (const [id, { leftAt }] of departed) {
      const old = clock.now() - leftAt > limits.rememberMs || departed.size > limits.maxRemembered;
      if (old) departed.delete(id);
    }
  };

  const leave = (entry: RuntimeEntry, reason: string, replacedBy?: string): void => {
    const { runtime_id, link } = entry;
    const { owner } = link.peer;
    link.runtimes.delete(runtime_id);
    entries.delete(runtime_id);
    departed.delete(runtime_id);
    departed.set(runtime_id, { owner, ...remembered(entry), leftAt: clock.now(), reason, replacedBy });
    forgetOld();
    const own = [...departed].filter(([, each]) => each.owner === owner);
    // Evicts within one owner, so that one flapping device does not evict those of others.
    const [oldest] = own[0] ?? [];
    if (owner !== undefined && own.length > limits.maxRememberedPerOwner && oldest !== undefined)
      departed.delete(oldest);
  };

  /** `leaving`: runtimes that make room. */
  const beyondOwner = (
    { peer: { owner } }: RuntimeLink,
    chars: number,
    isKnown: boolean,
    leaving: readonly (RuntimeEntry | undefined)[],
  ): WhyNot | undefined => {
    if (owner === undefined) return undefined;
    const others = [...entries.values()].filter(
      (other) => other.link.peer.owner === owner && !leaving.includes(other),
    );
    if (!isKnown && others.length >= limits.maxRuntimesPerOwner) return 'too many of a device';
    const sum = others.reduce((all, other) => all + other.chars, chars);
    return sum > limits.maxCharsPerOwner ? 'too large' : undefined;
  };

  return {
    entries: (): readonly RuntimeEntry[] => [...entries.values()],
    leave,
    departed(): readonly Departed[] {
      forgetOld();
      return [...departed.values()];
    },
    announce(link: RuntimeLink, ready: RuntimeReady): Announcement {
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
      const chars = JSON.stringify(ready).length;
      const why = beyondOwner(link, chars, stays !== undefined, [stays, ...replaced]);
      if (why !== undefined) return { kind: 'refused', why };
      for (const other of replaced) leave(other, `Runtime ${runtime_id} took its place.`, runtime_id);
      departed.delete(runtime_id);
      const entry = stays ?? createEntry(link, ready, clock.now(), chars);
      if (stays !== undefined) describeAgain(stays, ready, chars);
      entries.set(runtime_id, entry);
      link.runtimes.set(runtime_id, entry);
      return { kind: 'taken', entry, replaced };
    },
  };
}

/** Keys are unique within one owner only: two browsers number their tabs alike. */
function sharesKey({ ready, link }: RuntimeEntry, to: RuntimeLink, { runtime_key }: RuntimeReady): boolean {
  return runtime_key !== undefined && ready.runtime_key === runtime_key && link.peer.owner === to.peer.owner;
}

/** Keeps only what a selector reads: a map, or an unknown field, may be a megabyte. */
function remembered({ ready, status }: RuntimeEntry): Pick<Departed, 'ready' | 'status'> {
  const { type, runtime_id, runtime_key, url, title, features } = ready;
  return {
    ready: {
      ...{ type, runtime_id, url },
      ...(runtime_key !== undefined && { runtime_key }),
      ...(title !== undefined && { title }),
      ...(features !== undefined && { features: features.slice(0, MAX_FEATURES) }),
    },
    status: status && { type: status.type, runtime_id, ...(status.url !== undefined && { url: status.url }) },
  };
}

const MAX_FEATURES = 64;

function createEntry(link: RuntimeLink, ready: RuntimeReady, now: number, chars: number): RuntimeEntry {
  return {
    runtime_id: ready.runtime_id,
    link,
    ready: { ...ready },
    status: undefined,
    lastSeenAt: now,
    grants: undefined,
    chars,
  };
}

function describeAgain(entry: RuntimeEntry, ready: RuntimeReady, chars: number): void {
  entry.chars = chars;
  // A copy, as a local runtime may edit its map and send the same object again (BRG-108).
  entry.ready = { ...ready };
  // A status of the previous page must not restore its url (BRG-33).
  if (entry.status !== undefined) entry.status = { ...entry.status, url: ready.url };
}

export const latestUrl = ({ ready, status }: Described): string => status?.url ?? ready.url;

export const understands = ({ ready }: Described, feature: BridgeFeature): boolean =>
  ready.features?.includes(feature) ?? false;

export const quietMs = ({ lastSeenAt }: RuntimeEntry, now: number): number => Math.max(0, now - lastSeenAt);

export function viewOf(entry: RuntimeEntry, now: number, freshMs: number): RuntimeView {
  const { runtime_id, ready, status, grants } = entry;
  const capabilities = capabilitiesOf(ready);
  return {
    runtime_id,
    ready,
    ...(entry.link.peer.owner === undefined ? {} : { owner: entry.link.peer.owner }),
    ...(status === undefined ? {} : { status }),
    ...(grants === undefined ? {} : { grants }),
    ...(capabilities === undefined ? {} : { capabilities: [...capabilities] }),
    liveness: quietMs(entry, now) > freshMs ? 'quiet' : 'awake',
  };
}
