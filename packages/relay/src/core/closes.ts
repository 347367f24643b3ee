import { type Audit, auditWrite } from '@drawbridge/ledger';
import type { Announcements } from './announcements.ts';
import type { CoreContext } from './core-context.ts';
import { agentOf } from './decision-audit.ts';
import type { Delivery } from './delivery.ts';
import type { FrameOf } from './frames.ts';
import type { Peer } from './peer.ts';
import { type Requester, requesterOf } from './peers.ts';
import type { Prompts } from './prompts.ts';
import { NO_SUCH_SESSION, storedOrRefused } from './refusals.ts';
import type { LiveSession } from './sessions.ts';

/** Ends a session, at a person's request or when its proxy reports the end (CHT-196 to CHT-202). */
export interface Closes {
  readonly close: (peer: Peer, frame: FrameOf<'close_session'>, text: string) => void;
  readonly closed: (peer: Peer, frame: FrameOf<'session_closed'>) => void;
}

export function createCloses(
  context: CoreContext,
  announcements: Announcements,
  delivery: Delivery,
  prompts: Prompts,
): Closes {
  const { ledger, sessions } = context;
  /** By session: the latest close request, and who sent it. */
  const asked = new Map<string, { readonly request_id: string; readonly by: Requester }>();

  const end = async (session: LiveSession, frame: FrameOf<'session_closed'>): Promise<void> => {
    const { session_id, reason, reason_name } = frame;
    const request = asked.get(session_id);
    const request_id = frame.request_id ?? request?.request_id;
    const queued = await ledger.queuedMessages(session.proxy_device_id);
    const at = context.now();
    const body = {
      ...(request_id && { request_id }),
      ...(reason && { reason }),
      ...(reason_name && { reason_name }),
    };
    await context.commit(session_id, [
      { do: 'update_session', session_id, closed_at: at },
      context.event(session_id, 'session_closed', body, { at }),
      ...(request ? [endAudit(session, request.by, at)] : []),
    ]);
    asked.delete(session_id);
    delivery.failQueued(
      session,
      queued.filter((message) => message.session_id === session_id),
    );
    await prompts.withdraw(session_id);
  };

  return {
    close: (peer, frame, text) => {
      const session = sessions.get(frame.session_id);
      if (!context.sessions.isSeenBy(peer, session) || session.closed) {
        peer.refuse(frame, 'session_unknown', NO_SUCH_SESSION);
      } else if (session.proxy === undefined) {
        const problem = "The session's proxy is away. Close it when it is back.";
        peer.refuse(frame, 'session_not_connected', problem);
      } else {
        asked.set(frame.session_id, { request_id: frame.request_id, by: requesterOf(peer) });
        session.proxy.send(text, 'answer');
      }
    },
    closed: (peer, frame) => {
      const session = context.sessions.ofFrame(peer, frame);
      if (session === undefined || session.closed) return;
      const { reported, proxy } = session;
      // Accepts no send from here on; a later announcement reopens the session.
      session.closed = true;
      session.closing = true;
      session.reported = undefined;
      session.proxy = undefined;
      delivery.detach(session);
      delivery.failInFlight(session);
      const closing = async (): Promise<void> => {
        if (await storedOrRefused(context, peer, frame, end(session, frame))) return;
        session.closing = false;
        // The session may have been announced again, or its proxy may have left, which a closed session does
        // not notice.
        if (!session.closed) return;
        session.closed = false;
        session.reported = reported;
        session.proxy = proxy;
        if (proxy?.isOpen()) delivery.attach(proxy, [session]);
        else await announcements.down(session, 'proxy_disconnected');
      };
      context.run(closing());
    },
  };
}

function endAudit(session: LiveSession, { device_id, label }: Requester, at: number): Audit {
  const entry = { at, device_id, action: 'agent_ended' as const, subject: session.session_id };
  return auditWrite(entry, { agent: agentOf(session), by: label });
}
