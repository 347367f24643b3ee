import { createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Bus, Note } from '../core/ports.ts';
import { parseNatsUrl } from './nats-address.ts';
import { parseNote } from './note-text.ts';
import { createSubjects } from './subjects.ts';

export interface NatsBusOptions {
  /** One server's, or those of a cluster with commas between. */
  readonly url: string;
  /** Of the ledger that its nodes share: nothing of another one is heard. */
  readonly epoch: string;
  /** Known to the nodes alone: what is not sealed with it counts for nothing. */
  readonly secret: string;
  readonly node_id: string;
  /** What a stranger said, or a listener threw. */
  readonly onFault: (error: unknown) => void;
  readonly reconnectMs?: number;
}

/** The relays of one ledger, over NATS. What it says while the line is down is lost, as any note may be. */
export interface NatsBus extends Bus {
  readonly isUp: () => boolean;
  /** Notes may have been lost until now. */
  readonly onBack: (listener: () => void) => () => void;
  /** What was heard and said over the line so far. */
  readonly counts: () => BusCounts;
  readonly close: () => Promise<void>;
}

export interface BusCounts {
  readonly heard: number;
  readonly said: number;
  /** Not said: the line was down, or it was too long. */
  readonly dropped: number;
  /** Not sealed by one of our nodes, or no note. */
  readonly refused: number;
}

const CONNECT_MS = 5_000;
const RECONNECT_MS = 250;
/** A line that takes and gives nothing is given up after two pings. */
const PING_MS = 2_000;
const SEAL_BYTES = 32;
const LEAVE_MS = 500;

export async function openNatsBus(options: NatsBusOptions): Promise<NatsBus> {
  const { url, epoch, secret, node_id, onFault, reconnectMs = RECONNECT_MS } = options;
  const address = parseNatsUrl(url);
  const connection = await connect({
    ...address,
    name: `drawbridge ${node_id}`,
    // A relay hears its own notes at once, whether the line is up or not.
    noEcho: true,
    maxReconnectAttempts: -1,
    // A server that is set up anew may refuse for a while; a node must come back by itself.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    pingInterval: PING_MS,
    maxPingOut: 2,
    timeout: CONNECT_MS,
  }).catch((cause: unknown) => {
    const where = [address.servers].flat().join(', ');
    throw new Error(`The bus at ${where} does not let this relay in: see that NATS runs there.`, { cause });
  });
  const bus = watchOver(connection, { epoch, secret, onFault });
  // Whoever joins later, and speaks at once, is heard here: the server knows by then that we listen.
  await connection.flush();
  return bus;
}

function watchOver(
  connection: NatsConnection,
  { epoch, secret, onFault }: Pick<NatsBusOptions, 'epoch' | 'secret' | 'onFault'>,
): NatsBus {
  const subjects = createSubjects(epoch);
  const listeners = new Set<(note: Note) => void>();
  const backs = new Set<() => void>();
  const counts = { heard: 0, said: 0, dropped: 0, refused: 0 };
  let up = true;

  const seal = (subject: string, body: Uint8Array): Buffer =>
    createHmac('sha256', secret).update(subject).update('\n').update(body).digest();

  const tell = (note: Note): void => {
    for (const listener of [...listeners]) {
      try {
        listener(note);
      } catch (error) {
        onFault(error);
      }
    }
  };

  const hear = ({ subject, data }: Msg): void => {
    const body = data.subarray(SEAL_BYTES);
    const isSealed =
      data.length > SEAL_BYTES && timingSafeEqual(data.subarray(0, SEAL_BYTES), seal(subject, body));
    const note = isSealed ? parseNote(body) : undefined;
    if (note === undefined) {
      counts.refused += 1;
      return;
    }
    counts.heard += 1;
    tell(note);
  };

  /** True when it left, or will as soon as the line takes it. */
  const say = (note: Note): boolean => {
    const subject = subjects.of(note);
    const body = Buffer.from(JSON.stringify(note));
    if (!up || body.length + SEAL_BYTES > (connection.info?.max_payload ?? 0)) return false;
    connection.publish(subject, Buffer.concat([seal(subject, body), body]));
    return true;
  };

  connection.subscribe(subjects.all, {
    callback: (error, message) => (error === null ? hear(message) : onFault(error)),
  });
  const watch = async (): Promise<void> => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') up = false;
      if (status.type === 'error') onFault(status.error);
      if (status.type !== 'reconnect') continue;
      up = true;
      for (const listener of [...backs]) listener();
    }
  };
  watch().catch(onFault);

  let closing: Promise<void> | undefined;
  return {
    publish(note) {
      tell(note);
      try {
        const isSaid = say(note) || (note.kind === 'appended' && say(headOf(note)));
        counts[isSaid ? 'said' : 'dropped'] += 1;
      } catch (error) {
        // Closed under our hands: the ledger has what this would have said.
        counts.dropped += 1;
        if (closing === undefined) onFault(error);
      }
    },
    onNote(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    isUp: () => up && !connection.isClosed(),
    onBack(listener) {
      backs.add(listener);
      return () => {
        backs.delete(listener);
      };
    },
    counts: () => ({ ...counts }),
    close() {
      closing ??= leave(connection).finally(() => {
        listeners.clear();
        backs.clear();
      });
      return closing;
    },
  };
}

/** Whoever hears it reads the ledger. */
const headOf = ({ session_id, events }: Extract<Note, { kind: 'appended' }>): Note => ({
  kind: 'beat',
  node_id: 'bus',
  keeps: false,
  heads: [{ session_id, head: events.at(-1)?.sequence ?? 0 }],
  left: [],
  revoked: [],
});

/** What waits to leave leaves, if the line is up; nobody waits for a line that is down. */
async function leave(connection: NatsConnection): Promise<void> {
  try {
    if (connection.isClosed()) return;
    await Promise.race([
      connection.flush(),
      connection.closed(),
      passed(LEAVE_MS, undefined, { ref: false }),
    ]);
  } catch {
    // It was down.
  } finally {
    await connection.close();
  }
}
