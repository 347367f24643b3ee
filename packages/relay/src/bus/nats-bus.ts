import { createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { retry } from '@drawbridge/base';
import { systemClock } from '@drawbridge/link';
import { connect, errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Bus, BusListener, BusMessage, BusRequest } from '../core/ports.ts';
import { type Acknowledgement, parseBusMessage, wireMessage } from './message-text.ts';
import { parseNatsUrl } from './nats-address.ts';

export interface NatsBusOptions {
  /** One server, or those of a NATS cluster, separated by commas. */
  readonly url: string;
  /** Epoch of the shared ledger: messages of another ledger are not received. */
  readonly epoch: string;
  /** Shared by the nodes alone: messages without its signature are ignored. */
  readonly secret: string;
  readonly node_id: string;
  /** Reports errors of the connection and of listeners. */
  readonly onError: (error: unknown) => void;
  readonly reconnectMs?: number;
}

/** Bus of the nodes of one ledger over NATS. Messages published while disconnected are lost. */
export interface NatsBus extends Bus {
  readonly isUp: () => boolean;
  /** Called after a reconnect, when messages may have been lost. */
  readonly onBack: (listener: () => void) => () => void;
  /** Messages received and published so far. */
  readonly counts: () => BusCounts;
  readonly close: () => Promise<void>;
}

export interface BusCounts {
  readonly received: number;
  readonly published: number;
  /** Not published: disconnected, or too long. */
  readonly dropped: number;
  /** Not signed by one of our nodes, or malformed. */
  readonly refused: number;
}

const CONNECT_MS = 5_000;
const RECONNECT_MS = 250;
/** A silent connection is given up after two pings. */
const PING_MS = 2_000;
const SIGNATURE_BYTES = 32;
const LEAVE_MS = 500;

/** Without a server the bus opens disconnected, and connects later. */
export async function openNatsBus(options: NatsBusOptions): Promise<NatsBus> {
  const { url, node_id, onError, reconnectMs = RECONNECT_MS } = options;
  const address = parseNatsUrl(url);
  const closing = new AbortController();
  const bus = createBus(options, () => closing.abort());
  const join = async (): Promise<void> => {
    const connection = await connect({
      ...address,
      name: `drawbridge ${node_id}`,
      inboxPrefix: bus.replies,
      // A node receives its own messages at once, connected or not.
      noEcho: true,
      maxReconnectAttempts: -1,
      // A server that is being set up may refuse for a while; a node must reconnect without help.
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: reconnectMs,
      reconnectJitter: reconnectMs,
      pingInterval: PING_MS,
      maxPingOut: 2,
      timeout: CONNECT_MS,
    });
    if (closing.signal.aborted) return connection.close();
    // The server has processed our subscription when this returns, so no later message is missed.
    await bus.attach(connection);
  };
  try {
    await join();
  } catch (cause) {
    const where = [address.servers].flat().join(', ');
    if (cause instanceof errors.AuthorizationError)
      throw new Error(`The bus at ${where} refuses the user or the password. Check the URL.`, { cause });
    onError(new Error(`Cannot connect to the bus at ${where}. Check that NATS runs there.`, { cause }));
    const { signal } = closing;
    retry(join, { clock: systemClock, signal, waitMs: () => reconnectMs }).then(bus.back, () => {});
  }
  return bus;
}

interface AttachedBus extends NatsBus {
  readonly replies: string;
  readonly attach: (connection: NatsConnection) => Promise<void>;
  /** Calls the listeners of `onBack`. */
  readonly back: () => void;
}

function createBus(
  { epoch, secret, onError }: Pick<NatsBusOptions, 'epoch' | 'secret' | 'onError'>,
  onClose: () => void,
): AttachedBus {
  const subjects = createSubjects(epoch);
  const listeners = new Set<BusListener>();
  const acknowledged = new Set<(acknowledgement: Acknowledgement) => void>();
  const backs = new Set<() => void>();
  const counts = { received: 0, published: 0, dropped: 0, refused: 0 };
  let connection: NatsConnection | undefined;
  let up = false;

  const signature = (subject: string, body: Uint8Array): Buffer =>
    createHmac('sha256', secret).update(subject).update('\n').update(body).digest();

  const deliver = (message: BusMessage, acknowledge: (node_id: string) => void): void => {
    for (const listener of [...listeners]) {
      try {
        listener(message, acknowledge);
      } catch (error) {
        onError(error);
      }
    }
  };

  const signed = (subject: string, body: Uint8Array): Buffer =>
    Buffer.concat([signature(subject, body), body]);

  /** The body, if one of our nodes signed it for its subject. */
  const open = ({ subject, data }: Msg): Uint8Array | undefined => {
    const body = data.subarray(SIGNATURE_BYTES);
    const isSigned =
      data.length > SIGNATURE_BYTES &&
      timingSafeEqual(data.subarray(0, SIGNATURE_BYTES), signature(subject, body));
    return isSigned ? body : undefined;
  };

  const receive = (received: Msg): void => {
    const body = open(received);
    const message = body && parseBusMessage(body);
    if (message === undefined) {
      counts.refused += 1;
      return;
    }
    counts.received += 1;
    if (message.kind === 'acknowledgement') for (const listener of [...acknowledged]) listener(message);
    else deliver(message, acknowledgerOf(received, message));
  };

  /** Undefined while disconnected, and for a message that is too long. */
  const pack = (message: BusMessage | Acknowledgement) => {
    const wire = wireMessage(message);
    const subject =
      message.kind === 'appended' ? subjects.ofSession(message.session_id) : subjects.ofKind(wire.kind);
    const body = Buffer.from(JSON.stringify(wire));
    if (!up || body.length + SIGNATURE_BYTES > (connection?.info?.max_payload ?? 0)) return undefined;
    return { subject, data: signed(subject, body) };
  };

  /** True when the message was published or is buffered. */
  const publish = (message: BusMessage | Acknowledgement): boolean => {
    const packed = pack(message);
    if (packed !== undefined) connection?.publish(packed.subject, packed.data);
    return packed !== undefined;
  };

  const acknowledgerOf = ({ reply = '' }: Msg, message: BusMessage) => {
    const id = requestIdOf(message);
    return (node_id: string): void => {
      if (id === undefined) return;
      if (reply === '') publish({ kind: 'acknowledgement', id, node_id });
      else connection?.publish(reply, signed(reply, Buffer.from(node_id)));
    };
  };

  /** The node that answers, in either way. */
  const answerTo = async (message: BusRequest, timeout: number): Promise<string | undefined> => {
    const packed = pack(message);
    counts[packed === undefined ? 'dropped' : 'published'] += 1;
    if (connection === undefined || packed === undefined) return undefined;
    const { promise, resolve } = Promise.withResolvers<string>();
    const listener = ({ id, node_id }: Acknowledgement): void => {
      if (id === requestIdOf(message)) resolve(node_id);
    };
    acknowledged.add(listener);
    try {
      const reply = connection.request(packed.subject, packed.data, { timeout });
      const body = await Promise.race([promise, reply.then(open)]);
      return typeof body === 'string' ? body : body && Buffer.from(body).toString();
    } finally {
      acknowledged.delete(listener);
    }
  };

  const back = (): void => {
    for (const listener of [...backs]) listener();
  };

  const watch = async (attached: NatsConnection): Promise<void> => {
    for await (const status of attached.status()) {
      if (status.type === 'disconnect') up = false;
      if (status.type === 'error') onError(status.error);
      if (status.type !== 'reconnect') continue;
      up = true;
      back();
    }
  };

  let closing: Promise<void> | undefined;
  return {
    back,
    replies: subjects.replies,
    async attach(attached) {
      connection = attached;
      attached.subscribe(subjects.all, {
        callback: (error, message) => (error === null ? receive(message) : onError(error)),
      });
      watch(attached).catch(onError);
      up = true;
      // A connection that is lost here subscribes again by itself.
      await attached.flush().catch(onError);
    },
    publish(message) {
      deliver(message, () => {});
      try {
        const isPublished = publish(message) || (message.kind === 'appended' && publish(headOf(message)));
        counts[isPublished ? 'published' : 'dropped'] += 1;
      } catch (error) {
        // Closed during the publish; the ledger has the events.
        counts.dropped += 1;
        if (closing === undefined) onError(error);
      }
    },
    request: (message, timeout_ms) =>
      answerTo(message, timeout_ms).catch((error: unknown) => {
        // Nobody answered, or the bus was closed.
        const isUsual = error instanceof errors.TimeoutError || error instanceof errors.RequestError;
        if (!isUsual && up && closing === undefined) onError(error);
        return undefined;
      }),
    onMessage(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    isUp: () => up && connection?.isClosed() === false,
    onBack(listener) {
      backs.add(listener);
      return () => {
        backs.delete(listener);
      };
    },
    counts: () => ({ ...counts }),
    close() {
      onClose();
      closing ??= leave(connection).finally(() => {
        listeners.clear();
        backs.clear();
      });
      return closing;
    },
  };
}

function requestIdOf(message: BusMessage): string | undefined {
  if (message.kind === 'client_message') return message.delivery_id;
  return message.kind === 'command' ? message.command_id : undefined;
}

/** The recipient reads the events from the ledger. */
const headOf = ({ session_id, events }: Extract<BusMessage, { kind: 'appended' }>): BusMessage => ({
  kind: 'heartbeat',
  node_id: 'bus',
  is_leader: false,
  heads: [{ session_id, head: events.at(-1)?.sequence ?? 0 }],
  left: [],
  revoked: [],
});

/** Flushes pending messages if connected; does not wait for a lost connection. */
async function leave(connection: NatsConnection | undefined): Promise<void> {
  try {
    if (connection === undefined || connection.isClosed()) return;
    await Promise.race([
      connection.flush(),
      connection.closed(),
      passed(LEAVE_MS, undefined, { ref: false }),
    ]);
  } catch {
    // The connection was down.
  } finally {
    await connection?.close();
  }
}

interface Subjects {
  /** A subject per session where the message is about one, so that a node could subscribe to some only. */
  readonly ofSession: (session_id: string) => string;
  readonly ofKind: (kind: string) => string;
  readonly all: string;
  /** Prefix of the subjects of replies, outside of `all`: only the asking node receives them. */
  readonly replies: string;
}

/** Encodes ids, because NATS gives a meaning to dots, spaces and stars. */
const token = (id: string): string => Buffer.from(id).toString('base64url') || '_';

function createSubjects(epoch: string): Subjects {
  const root = `drawbridge.${token(epoch)}`;
  return {
    ofSession: (session_id) => `${root}.session.${token(session_id)}`,
    ofKind: (kind) => `${root}.${kind}`,
    all: `${root}.>`,
    replies: `drawbridge.replies.${token(epoch)}`,
  };
}
