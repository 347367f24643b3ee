import type { CoreContext } from './core-context.ts';
import type { Peer, Refused } from './peer.ts';
import type { LiveSession } from './sessions.ts';

/** The session that a frame may refer to. */
export interface Ownership {
  /** CHT-127, CHT-128: the session of a proxy's frame; otherwise refuses the frame. */
  readonly of: (peer: Peer, frame: Refused & { readonly session_id: string }) => LiveSession | undefined;
  /** CHT-92: a session that the peer may not see looks like an unknown one. */
  readonly seenBy: (peer: Peer, session: LiveSession | undefined) => session is LiveSession;
}

export function createOwnership({ sessions }: CoreContext): Ownership {
  return {
    of: (peer, frame) => {
      const session = sessions.get(frame.session_id);
      if (session === undefined) {
        peer.refuse(
          frame,
          'session_unknown',
          'This session was not announced. Send proxy_session_snapshot first.',
        );
        return undefined;
      }
      if (session.proxy_device_id === peer.device_id) return session;
      peer.refuse(frame, 'unauthorized', 'This session belongs to another proxy.');
      return undefined;
    },
    seenBy: (peer, session): session is LiveSession =>
      session?.shown !== undefined && peer.maySee(session.session_id),
  };
}
