import type { BridgeFeature, HeldGrant, RuntimeReady, RuntimeStatus } from '@drawbridge/protocol';
import type { Peer, RuntimeView } from './bridge.ts';
import { capabilitiesOf } from './capabilities.ts';
import type { OpenQuestion } from './questions.ts';

/** One connection of a runtime host; it may bring several runtimes. */
export interface RuntimeLink {
  readonly peer: Peer;
  readonly runtimes: Map<string, RuntimeEntry>;
  /** By `question_id`. */
  readonly questions: Map<string, OpenQuestion>;
  open: boolean;
  /** The names of the relay that it was sent last. */
  relayHosts: string;
}

/** A runtime that calls can go to. */
export interface RuntimeEntry {
  readonly runtime_id: string;
  readonly link: RuntimeLink;
  ready: RuntimeReady;
  /** Every status so far in one: a field that a later one leaves out keeps its value (BRG-32). */
  status: RuntimeStatus | undefined;
  heardAt: number;
  /** Of one that named `grants`, what it said last. */
  grants: readonly HeldGrant[] | undefined;
  /** Of its `runtime_ready`, as JSON. */
  chars: number;
}

/** What a selector looks at. */
export type Described = Pick<RuntimeEntry, 'ready' | 'status'>;

export function createEntry(
  link: RuntimeLink,
  ready: RuntimeReady,
  now: number,
  chars: number,
): RuntimeEntry {
  return {
    runtime_id: ready.runtime_id,
    link,
    ready: { ...ready },
    status: undefined,
    heardAt: now,
    grants: undefined,
    chars,
  };
}

export function describeAgain(entry: RuntimeEntry, ready: RuntimeReady, chars: number): void {
  entry.chars = chars;
  // A copy: a runtime of this process may edit its map and send the very same object again (BRG-108).
  entry.ready = { ...ready };
  // A status of the page before must not bring its url back (BRG-33).
  if (entry.status !== undefined) entry.status = { ...entry.status, url: ready.url };
}

export const latestUrl = ({ ready, status }: Described): string => status?.url ?? ready.url;

export const understands = ({ ready }: Described, feature: BridgeFeature): boolean =>
  ready.features?.includes(feature) ?? false;

export const quietMs = ({ heardAt }: RuntimeEntry, now: number): number => Math.max(0, now - heardAt);

export function viewOf(entry: RuntimeEntry, now: number, freshMs: number): RuntimeView {
  const { runtime_id, ready, status, grants } = entry;
  const capabilities = capabilitiesOf(ready);
  return {
    runtime_id,
    ready,
    ...(status === undefined ? {} : { status }),
    ...(grants === undefined ? {} : { grants }),
    ...(capabilities === undefined ? {} : { capabilities: [...capabilities] }),
    liveness: quietMs(entry, now) > freshMs ? 'quiet' : 'awake',
  };
}
