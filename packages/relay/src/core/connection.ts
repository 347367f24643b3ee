import { BridgeError, type ChatFrame, chat, type ErrorCode } from '@drawbridge/protocol';
import type { Perform } from './commands.ts';
import type { CoreContext } from './core-context.ts';
import { type FrameOf, frameText } from './frames.ts';
import type { Handshake } from './handshake.ts';
import { createPeer, type Peer, type PeerKind, type Refused, refusal } from './peer.ts';
import type { Connection, Identity, PeerPort, RelayCore } from './ports.ts';
import { NOT_READ } from './refusals.ts';

export const CLOSE_CODES = {
  /** The peer broke the protocol in a way that nothing can follow. */
  protocol: 4400,
  unauthorized: 4401,
  lagging: 4408,
  /** Not 4409: a link stays away for long after that code, because another connection replaced it. */
  stale: 4410,
  stopping: 1001,
} as const;

const SECOND_HELLO = 'connection_hello was sent already. Open another connection instead.';

/** Frames that a peer may queue while its earlier frames are handled; above a quarter it is not read. */
const MAX_BACKLOG_CHARS = 4 * 1_048_576;
const HELD_BACKLOG_CHARS = MAX_BACKLOG_CHARS / 4;

interface ConnectionOptions {
  readonly handshake: Handshake['handshake'];
  readonly perform: Perform;
  /** Called once, for any kind of end, but not while the relay stops. */
  readonly onEnd: (peer: Peer) => void;
}

interface OpenConnection extends Connection {
  readonly identity: Identity | undefined;
  readonly end: (code: number, reason: string) => void;
  /** Sends a reconnect hint and takes no more frames. */
  readonly stop: (hint: string) => void;
}

/**
 * Lifecycle of one socket: a hello in time, then frames in order, until it closes or the idle timeout ends
 * it.
 */
export function openConnection(
  { id, times, now, after, run, onError, isLeader }: CoreContext,
  { handshake: greet, perform }: Pick<ConnectionOptions, 'handshake' | 'perform'>,
  port: PeerPort,
  onEnd: (peer: Peer | undefined) => void,
): OpenConnection {
  const connection_id = id('conn');
  let open = true;
  /** Takes no more frames. */
  let isStopping = false;
  let peer: Peer | undefined;
  /** The hello, until it is acknowledged. */
  let pendingHandshake: FrameOf<'connection_hello'> | undefined;
  let busy = false;
  const backlog: string[] = [];
  let backlogChars = 0;
  let isHeld = false;
  const holdIfMuch = (): void => {
    const isMuch = backlogChars > (isHeld ? HELD_BACKLOG_CHARS / 2 : HELD_BACKLOG_CHARS);
    if (isMuch === isHeld) return;
    isHeld = isMuch;
    port.hold?.(isHeld);
  };

  const closed = (): void => {
    if (!open) return;
    open = false;
    cancel();
    backlog.length = 0;
    onEnd(peer);
  };
  const end = (code: number, reason: string): void => {
    if (!open) return;
    port.close(code, reason);
    closed();
  };
  let cancel = after(times.hello_ms, () => end(CLOSE_CODES.protocol, 'no connection_hello came in time'));
  /** The idle timeout starts with the hello. */
  let received = (): void => {};

  const refuse = (frame: Refused, code: ErrorCode, message: string): void => {
    if (open) port.send(frameText(refusal(frame, code, message), now()), 'answer');
  };
  const refuseAndEnd = (frame: Refused, code: ErrorCode, message: string, closeCode: number): void => {
    refuse(frame, code, message);
    end(closeCode, code);
  };

  /** CHT-98: nothing is sent after the lagging frame. */
  const lag = (): void => {
    if (!open) return;
    if (peer?.features.has('lagging')) {
      const message = 'You read too slowly. Connect again and resume from your last sequence.';
      port.send(frameText({ type: 'lagging', waiting_events: 1, message }, now()), 'answer');
    }
    end(CLOSE_CODES.lagging, 'lagging');
  };

  const handshake = (hello: FrameOf<'connection_hello'>): Promise<void> | undefined => {
    const kind = kindOf(port.identity, hello.peer_role);
    if (kind === undefined) {
      const problem = `This credential is not one of a ${hello.peer_role}.`;
      refuseAndEnd(hello, 'unauthorized', problem, CLOSE_CODES.unauthorized);
      return undefined;
    }
    if (kind === 'proxy' && !isLeader) {
      end(CLOSE_CODES.stopping, 'another relay takes the proxies');
      return undefined;
    }
    const isOpen = () => open;
    const greeted = createPeer({ connection_id, kind, hello, port, now, isOpen, onLagging: lag });
    peer = greeted;
    cancel();
    const onSilent = () => end(CLOSE_CODES.stale, 'no frame came in time');
    ({ received, close: cancel } = createIdleTimeout({ now, after }, times.heartbeat_timeout_ms, onSilent));
    pendingHandshake = hello;
    return greet(greeted, hello);
  };

  const misread = (error: BridgeError, text: string): void => {
    const frame = recognise(error, text);
    const isHello = error.evidence['kind'] === 'connection_hello';
    const fatal = error.code === 'protocol_version_unsupported' || (peer === undefined && !isHello);
    if (fatal) refuseAndEnd(frame, error.code, error.message, CLOSE_CODES.protocol);
    else refuse(frame, error.code, error.message);
  };

  const handle = (text: string): Promise<void> | undefined => {
    let frame: ChatFrame | undefined;
    try {
      frame = chat.parse(text);
      if (frame.type !== 'connection_hello' && peer !== undefined) return perform(peer, frame, text);
      if (frame.type !== 'connection_hello')
        refuseAndEnd(frame, 'invalid_message', 'Say connection_hello first.', CLOSE_CODES.protocol);
      else if (peer === undefined) return handshake(frame);
      else refuse(frame, 'invalid_message', SECOND_HELLO);
    } catch (error) {
      if (frame === undefined && error instanceof BridgeError) misread(error, text);
      else onError(error);
    }
    return undefined;
  };

  /** Handles frames in order: each one completes before the next begins. */
  const drain = async (first: Promise<void>): Promise<void> => {
    let work: Promise<void> | undefined = first;
    for (;;) {
      try {
        await work;
      } catch (error) {
        onError(error);
        if (pendingHandshake !== undefined)
          refuseAndEnd(pendingHandshake, 'send_rejected', NOT_READ, CLOSE_CODES.stopping);
      }
      pendingHandshake = undefined;
      const text = open && !isStopping ? backlog.shift() : undefined;
      if (text === undefined) break;
      backlogChars -= text.length;
      holdIfMuch();
      // A peer that is not read sends no heartbeat either.
      received();
      work = handle(text);
    }
    busy = false;
  };

  return {
    connection_id,
    identity: port.identity,
    receive: (text) => {
      if (!open || isStopping) return;
      received();
      if (busy) {
        backlogChars += text.length;
        if (backlogChars > MAX_BACKLOG_CHARS)
          end(CLOSE_CODES.lagging, 'too many frames wait: read the answers');
        else {
          backlog.push(text);
          holdIfMuch();
        }
        return;
      }
      const work = handle(text);
      if (work === undefined) return;
      busy = true;
      run(drain(work));
    },
    closed,
    end,
    stop: (text) => {
      isStopping = true;
      if (open && peer?.features.has('reconnect_hint')) port.send(text, 'answer');
    },
  };
}

/** Longer than a restart takes. */
const RECONNECT_AFTER_MS = 1_000;

export function createConnections(
  context: CoreContext,
  options: ConnectionOptions,
): Pick<RelayCore, 'connect' | 'dismiss'> & {
  /** `settle` stops everything that would begin new work, and waits for work under way. */
  readonly stop: (settle: () => Promise<void>) => Promise<void>;
} {
  const connections = new Set<OpenConnection>();
  let stopping: Promise<void> | undefined;

  /** Writes nothing: the next start recovers from the ledger as after a crash. */
  const stop = async (settle: () => Promise<void>): Promise<void> => {
    const hint = frameText({ type: 'reconnect_hint', after_ms: RECONNECT_AFTER_MS }, context.now());
    for (const connection of connections) connection.stop(hint);
    await settle();
    for (const connection of [...connections]) connection.end(CLOSE_CODES.stopping, 'the relay stops');
  };

  return {
    connect: (port) => {
      const connection = openConnection(context, options, port, (peer) => {
        connections.delete(connection);
        if (peer === undefined) return;
        context.peers.remove(peer);
        if (stopping === undefined) options.onEnd(peer);
      });
      connections.add(connection);
      if (stopping !== undefined) connection.end(CLOSE_CODES.stopping, 'the relay stops');
      return connection;
    },
    dismiss: (device_id) => {
      for (const connection of [...connections]) {
        if (connection.identity?.device_id === device_id) connection.end(CLOSE_CODES.unauthorized, 'revoked');
      }
    },
    stop: (settle) => {
      stopping ??= Promise.resolve().then(() => stop(settle));
      return stopping;
    },
  };
}

/** Shortest interval between timer resets; otherwise a busy peer would reset it with each frame. */
const REARM_MS = 1_000;

/**
 * CHT-112: idle timeout. Frames soon after a reset extend the timer only when it fires. Wall time is used
 * only within this one-second window, so a clock jump shifts the timeout by at most a second (CHT-114).
 */
export function createIdleTimeout(
  { now, after }: Pick<CoreContext, 'now' | 'after'>,
  ms: number,
  onSilent: () => void,
) {
  /** Time of the last timer reset. */
  let since = now();
  let latest = since;

  const fire = (): void => {
    const rest = latest - since;
    since = latest;
    if (rest > 0) cancel = after(rest, fire);
    else onSilent();
  };
  let cancel = after(ms, fire);

  return {
    received: (): void => {
      latest = now();
      if (latest >= since && latest < since + REARM_MS) return;
      since = latest;
      cancel();
      cancel = after(ms, fire);
    },
    close: (): void => cancel(),
  };
}

/** CHT-85 */
function kindOf(identity: Identity | undefined, claimed: 'browser' | 'proxy'): PeerKind | undefined {
  if (identity === undefined) return claimed === 'browser' ? 'stranger' : undefined;
  const may = claimed === 'proxy' ? ['proxy'] : ['owner', 'person'];
  return identity.roles.some((role) => may.includes(role)) ? claimed : undefined;
}

const RECOGNISED = ['request_id', 'session_id', 'client_message_id'] as const;
const MAX_ID_CHARS = 256;

/** CHT-107: only for JSON that failed its schema. Too long or too deep text is not parsed again. */
function recognise(error: BridgeError, text: string): Refused {
  if (error.evidence['path'] === '') return {};
  const frame: unknown = JSON.parse(text);
  if (typeof frame !== 'object' || frame === null) return {};
  const found: Record<string, string> = {};
  for (const key of RECOGNISED) {
    const value: unknown = Reflect.get(frame, key);
    if (typeof value === 'string' && value !== '' && value.length <= MAX_ID_CHARS) found[key] = value;
  }
  return found;
}
