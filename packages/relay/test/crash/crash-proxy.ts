import { createDeferred } from '@drawbridge/base';
import type { Log } from './client-log.ts';
import { openWire } from './crash-wire.ts';
import type { RelayLives } from './relay-lives.ts';

export interface CrashProxy {
  /** Resolves when the relay knows its sessions. */
  readonly announced: Promise<void>;
  readonly close: () => void;
}

const DECLINES_EVERY = 17;

/** Injects every send as often as it is received, so a double injection proves a double send. */
export function startProxy(
  lives: Pick<RelayLives, 'url'>,
  { token, session_ids, log }: { token: string; session_ids: readonly string[]; log: Log },
): CrashProxy {
  const announced = createDeferred();
  let told = 0;

  const wire = openWire(lives, token, {
    onOpen: (say) => say({ type: 'connection_hello', peer_role: 'proxy', client_name: 'proxy' }),
    onFrame: (frame, say) => {
      if (frame.type === 'connection_ack') {
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
        told += 1;
        const declines = told % DECLINES_EVERY === 0;
        log({ did: declines ? 'decline' : 'inject', session_id, id });
        const result = declines ? 'failed' : 'delivered';
        say({ type: 'proxy_send_result', session_id, client_message_id: id, attempt, result });
      } else if (frame.type !== 'reconnect_hint') log({ did: 'wonder', frame });
    },
  });
  return { announced: announced.promise, close: wire.close };
}
