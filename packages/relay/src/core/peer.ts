import type { ErrorCode } from '@drawbridge/protocol';
import { type FrameOf, frameText, labelText, type OwnFrame } from './frames.ts';
import type { Identity, PeerPort, RelayEvent, SendClass } from './ports.ts';

/** Kind of a peer. A stranger has no credential: it may send a hello, and learns nothing. */
export type PeerKind = 'browser' | 'proxy' | 'stranger';

/** A connection after its hello. */
export interface Peer {
  readonly connection_id: string;
  readonly kind: PeerKind;
  /** Undefined for a stranger. */
  readonly identity: Identity | undefined;
  readonly device_id: string;
  /** The device's name, given by a person. */
  readonly label: string;
  readonly client_id: string | null;
  readonly machine_label: string;
  readonly features: Set<string>;
  /** The sessions that it shows; undefined before its first `subscribe`, when it gets everything. */
  subscribed: ReadonlySet<string> | undefined;
  readonly isOpen: () => boolean;
  /** The only sessions that the peer may see; undefined for all (CHT-92). */
  readonly sessions: ReadonlySet<string> | undefined;
  readonly send: (text: string, sendClass: SendClass) => void;
  readonly answer: (frame: OwnFrame) => void;
  /** CHT-107: the error repeats the frame's ids. */
  readonly refuse: (frame: Refused, code: ErrorCode, message: string, retry_after_ms?: number) => void;
  readonly drained: () => Promise<void>;
  /** Characters of the sends in flight to a proxy. */
  inFlightChars: number;
  /** Bytes that the peer has not read yet. */
  readonly unread: () => number;
  /** Writes of its frames that the ledger has not answered yet. */
  readonly storing: Set<Promise<unknown>>;
  /** Counts the work that one frame caused as more frames of its device. */
  readonly charge: (frames: number) => void;
  /** CHT-176: skips live events of a session up to `sequence`, because the peer's history has them. */
  readonly skipThrough: (session_id: string, sequence: number) => void;
  /** True for a new event of a session that the peer may see. */
  readonly wants: (event: RelayEvent) => boolean;
}

/** The fields of any frame that its refusal repeats. */
export interface Refused {
  readonly request_id?: string;
  readonly session_id?: string;
  readonly client_message_id?: string;
}

export function refusal(frame: Refused, code: ErrorCode, message: string, retry_after_ms?: number): OwnFrame {
  const { request_id, session_id, client_message_id } = frame;
  return {
    type: 'connection_error',
    code,
    message: labelText(message),
    ...(retry_after_ms === undefined ? undefined : { retry_after_ms }),
    ...(request_id === undefined ? undefined : { request_id }),
    ...(session_id === undefined ? undefined : { session_id }),
    ...(client_message_id === undefined ? undefined : { client_message_id }),
  };
}

export interface PeerOptions {
  readonly connection_id: string;
  readonly kind: PeerKind;
  readonly hello: FrameOf<'connection_hello'>;
  readonly port: PeerPort;
  readonly now: () => number;
  readonly isOpen: () => boolean;
  /** Called when the peer has left too much unread. */
  readonly onLagging: () => void;
}

export function createPeer(options: PeerOptions): Peer {
  const { connection_id, kind, hello, port, now, isOpen, onLagging } = options;
  const { identity } = port;
  const skipped = new Map<string, number>();

  const send = (text: string, sendClass: SendClass): void => {
    if (isOpen() && !port.send(text, sendClass)) onLagging();
  };
  const answer = (frame: OwnFrame): void => send(frameText(frame, now()), 'answer');

  return {
    connection_id,
    kind,
    identity,
    device_id: identity?.device_id ?? '',
    label: identity?.label ?? '',
    client_id: hello.client_id ?? null,
    machine_label: hello.machine_label ?? identity?.label ?? '',
    features: new Set(hello.features),
    subscribed: undefined,
    isOpen,
    sessions: scopedSessions(identity),
    send,
    answer,
    refuse: (frame, code, message, retry_after_ms) => answer(refusal(frame, code, message, retry_after_ms)),
    drained: port.drained,
    inFlightChars: 0,
    unread: () => port.unread?.() ?? 0,
    storing: new Set(),
    charge: (frames) => port.charge?.(frames),
    skipThrough: (session_id, sequence) => {
      skipped.set(session_id, sequence);
    },
    wants: ({ session_id, sequence }) => {
      if (skipped.size === 0) return true;
      const through = skipped.get(session_id);
      if (through === undefined) return true;
      if (sequence <= through) return false;
      skipped.delete(session_id);
      return true;
    },
  };
}

const SESSION_SCOPE = 'session:';

function scopedSessions(identity: Identity | undefined): ReadonlySet<string> | undefined {
  const scopes = identity?.scopes ?? [];
  if (scopes.length === 0) return undefined;
  // An unknown kind of scope grants nothing; it must not grant everything.
  const named = scopes.filter((scope) => scope.startsWith(SESSION_SCOPE));
  return new Set(named.map((scope) => scope.slice(SESSION_SCOPE.length)));
}
