import type { ConnectionHub, HubConnection, Peer } from './connection-hub.ts';
import { parseControl, writeControl } from './control-frame.ts';
import { FrameSession, type HeartbeatOptions } from './frame-session.ts';
import { CLOSE_BAD_HELLO, CLOSE_DONE, CLOSE_TOO_MANY, type FrameWire, type WireEnd } from './frame-wire.ts';
import { transportFailed } from './transport-error.ts';

/** Whether a peer supports resume: agreed, not agreed, or shown by its first frame. */
export type Negotiation = 'resumable' | 'plain' | 'first_frame';

export interface AcceptedWire extends HeartbeatOptions {
  readonly hub: ConnectionHub;
  readonly peer: Peer;
  readonly wire: FrameWire;
  readonly negotiation: Negotiation;
}

export const HELLO_TIMEOUT_MS = 5_000;

export function acceptFrames(accepted: AcceptedWire) {
  const { hub, wire, peer } = accepted;
  let connection: HubConnection | undefined;
  let session: FrameSession | undefined;
  let stopTimer = () => {};
  let isPlain = accepted.negotiation === 'plain';

  const start = (opened: HubConnection, how: { resumable: boolean; resumed: boolean }) => {
    connection = opened;
    const { heartbeatMs, idleTimeoutMs } = accepted;
    const own = new FrameSession({
      link: opened.link,
      wire,
      clock: hub.clock,
      resumable: how.resumable,
      onDead: () => lost('The peer stopped responding.', { reason: 'peer_silent' }),
      ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
      ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
    });
    session = own;
    opened.attach((code, reason) => {
      session = undefined;
      own.stop();
      wire.close(code, reason);
    });
    if (how.resumable)
      wire.send(writeControl({ kind: 'hello', connection_id: opened.id, received: opened.link.received }));
    own.start();
    opened.link.become({ kind: 'open', resumed: how.resumed, connection_id: opened.id });
  };

  const open = (resumable: boolean) => {
    const fresh = hub.open(peer);
    if (fresh === undefined) wire.close(CLOSE_TOO_MANY, 'too many connections');
    else if (fresh.link.isClosed) wire.close(CLOSE_DONE, 'done');
    else start(fresh, { resumable, resumed: false });
  };

  const lost = (message: string, evidence: Readonly<Record<string, unknown>>) => {
    const error = transportFailed(message, { ...evidence, connection_id: connection?.id });
    if (isPlain) connection?.link.end('failed', error);
    else connection?.detach(error);
  };

  const hello = (frame: string) => {
    stopTimer();
    const control = parseControl(frame);
    if (control?.kind !== 'hello') {
      if (accepted.negotiation === 'resumable') {
        wire.close(CLOSE_BAD_HELLO, 'the first frame must be a hello');
        return;
      }
      isPlain = true;
      open(false);
      session?.take(frame);
      return;
    }
    const { connection_id, received } = control;
    const known = connection_id === undefined ? undefined : hub.find(peer, connection_id);
    if (known?.link.outbox.canResumeAfter(received)) {
      known.link.outbox.confirm(received);
      start(known, { resumable: true, resumed: true });
      return;
    }
    known?.link.end('failed', transportFailed('The peer lost its place.', { reason: 'resume_impossible' }));
    open(true);
  };

  if (isPlain) open(false);
  else if (accepted.negotiation === 'resumable')
    stopTimer = hub.clock.after(HELLO_TIMEOUT_MS, () => wire.close(CLOSE_BAD_HELLO, 'no hello came'));

  return {
    frame: (frame: string): void => {
      if (connection === undefined) hello(frame);
      else if (session?.take(frame) === 'bye') endByPeer(connection);
    },
    ended: ({ final, message, evidence }: WireEnd): void => {
      stopTimer();
      if (session === undefined || connection === undefined) return;
      if (final === 'closed_by_peer') endByPeer(connection);
      else lost(message, evidence);
    },
  };
}

function endByPeer({ id, link }: HubConnection): void {
  const evidence = { reason: 'closed_by_peer', connection_id: id };
  link.end('closed_by_peer', transportFailed('The peer closed the connection.', evidence));
}
