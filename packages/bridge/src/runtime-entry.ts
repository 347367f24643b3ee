import type { BridgeFeature, HeldGrant, RuntimeReady, RuntimeStatus } from '@drawbridge/protocol';
import type { Peer, RuntimeView } from './bridge.ts';
import { capabilitiesOf } from './capabilities.ts';
import type { OpenQuestion } from './permission-questions.ts';

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
    lastSeenAt: now,
    grants: undefined,
    chars,
  };
}

export function describeAgain(entry: RuntimeEntry, ready: RuntimeReady, chars: number): void {
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
    ...(status === undefined ? {} : { status }),
    ...(grants === undefined ? {} : { grants }),
    ...(capabilities === undefined ? {} : { capabilities: [...capabilities] }),
    liveness: quietMs(entry, now) > freshMs ? 'quiet' : 'awake',
  };
}
