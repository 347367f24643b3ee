import { randomUUID } from 'node:crypto';
import { createDeferred } from '@drawbridge/base';
import type { Log } from './client-log.ts';
import { openWire, type Say } from './crash-wire.ts';
import type { RelayLives } from './relay-lives.ts';

export interface CrashProxy {
  /** Resolves when the relay knows its sessions. */
  readonly announced: Promise<void>;
  /** Breaks its connection, as a network does. */
  readonly cut: () => void;
  readonly close: () => void;
}

const DECLINES_EVERY = 17;
const HEARTBEAT_MS = 10_000;
/** Time that an agent takes for a message, by its number. */
const AGENT_MS = [0, 4, 1, 15, 2, 40, 8] as const;

interface Injection {
  readonly result: 'delivered' | 'failed';
  /** The latest attempt, which the report has to name. */
  attempt: number | undefined;
  isDone: boolean;
}

/** Injects each send once, and answers a repeated one from its own record (CHT-300). */
export function startProxy(
  lives: Pick<RelayLives, 'url'>,
  { token, session_ids, log }: { token: string; session_ids: readonly string[]; log: Log },
): CrashProxy {
  const announced = createDeferred();
  const client_id = randomUUID();
  const record = new Map<string, Injection>();
  const timers = new Set<NodeJS.Timeout>();
  let speak: Say = () => {};
  const heartbeat = setInterval(() => speak({ type: 'heartbeat' }), HEARTBEAT_MS);

  const report = (session_id: string, id: string, { attempt, result }: Injection): void =>
    speak({ type: 'proxy_send_result', session_id, client_message_id: id, attempt, result });

  const inject = (session_id: string, id: string, attempt: number | undefined): void => {
    const declines = (record.size + 1) % DECLINES_EVERY === 0;
    const injection: Injection = { result: declines ? 'failed' : 'delivered', attempt, isDone: false };
    record.set(`${session_id} ${id}`, injection);
    log({ did: declines ? 'decline' : 'inject', session_id, id });
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        injection.isDone = true;
        report(session_id, id, injection);
      },
      AGENT_MS[record.size % AGENT_MS.length],
    );
    timers.add(timer);
  };

  const wire = openWire(lives, token, {
    onOpen: (say) =>
      say({
        type: 'connection_hello',
        peer_role: 'proxy',
        client_name: 'proxy',
        client_id,
        features: ['resend'],
      }),
    onFrame: (frame, say) => {
      if (frame.type === 'connection_ack') {
        speak = say;
        const sessions = session_ids.map((session_id) => ({
          session_id,
          agent_type: 'codex',
          status: 'healthy',
        }));
        say({ type: 'proxy_session_snapshot', sessions });
        say({ type: 'heartbeat' });
      } else if (frame.type === 'heartbeat_ack') announced.resolve();
      else if (frame.type === 'send_message') {
        const { session_id = '', client_message_id: id = '', attempt } = frame;
        const known = record.get(`${session_id} ${id}`);
        if (known === undefined) return inject(session_id, id, attempt);
        log({ did: 'repeat', session_id, id, attempt, before: known.attempt });
        known.attempt = attempt;
        if (known.isDone) report(session_id, id, known);
      } else if (frame.type !== 'reconnect_hint') log({ did: 'wonder', frame });
    },
  });
  return {
    announced: announced.promise,
    cut: wire.cut,
    close: () => {
      clearInterval(heartbeat);
      for (const timer of timers) clearTimeout(timer);
      wire.close();
    },
  };
}
