import type { ChatFrame } from '@drawbridge/protocol';
import type { Line } from './line.ts';
import { createPeer, type PeerLog, V1 } from './peer.ts';
import type { SimulationContext } from './simulation-context.ts';

/** A client without a credential that tries everything a browser does. */
export interface Unauthenticated {
  readonly log: PeerLog;
  readonly come: () => void;
  readonly leave: () => void;
  readonly tryOut: (session_id: string) => boolean;
}

export function createUnauthenticated(
  context: SimulationContext,
  dial: () => Line | undefined,
): Unauthenticated {
  const peer = createPeer(context, {
    name: 'stranger',
    dial,
    hello: () => ({ type: 'connection_hello', ...V1, peer_role: 'browser', client_name: 'curl' }),
    onFrame: () => {},
    onDown: () => {},
  });
  return {
    log: peer.log,
    come: peer.start,
    leave: () => peer.stop(['relay']),
    tryOut: (session_id) => {
      const of = { ...V1, session_id, request_id: context.id('req') };
      const client_message_id = context.id('msg');
      return peer.send(
        context.random.pick<ChatFrame>([
          { type: 'send_message', ...of, client_message_id, content: 'me', created_at: context.iso() },
          { type: 'history_request', ...of },
          { type: 'close_session', ...of },
          { type: 'launch_session', ...V1, request_id: of.request_id, agent_type: 'codex' },
        ]),
      );
    },
  };
}
