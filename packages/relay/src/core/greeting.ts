import { CHAT_FEATURES } from '@drawbridge/protocol';
import type { Base } from './base.ts';
import type { FrameOf, OwnFrame } from './frames.ts';
import type { History, ResumePoint } from './history.ts';
import type { Ownership } from './ownership.ts';
import type { Peer } from './peer.ts';
import { NO_SUCH_SESSION } from './refusals.ts';

type Hello = FrameOf<'connection_hello'>;
type Ack = Omit<Extract<OwnFrame, { type: 'connection_ack' }>, 'type'>;

export interface Greeting {
  readonly greet: (peer: Peer, hello: Hello) => Promise<void>;
}

interface Hospitality {
  /** What a browser learns in its acknowledgement. */
  readonly welcome: (peer: Peer) => Partial<Ack>;
  /** And after it. */
  readonly follow: (peer: Peer) => Promise<void>;
}

export function createGreeting(
  base: Base,
  ownership: Ownership,
  history: History,
  { welcome, follow }: Hospitality,
): Greeting {
  const { ledger, sessions, peers, times, onFault } = base;

  const acknowledge = (peer: Peer, more: Partial<Ack>): void =>
    peer.answer({
      type: 'connection_ack',
      connection_id: peer.connection_id,
      heartbeat_interval_ms: times.heartbeat_interval_ms,
      heartbeat_timeout_ms: times.heartbeat_timeout_ms,
      epoch: ledger.epoch,
      features: Object.keys(CHAT_FEATURES),
      ...more,
    });

  /** The id of a session that does not exist for this peer. */
  const judgeOne = async (
    peer: Peer,
    session_id: string,
    last_sequence: number,
    epoch: string | undefined,
  ) => {
    if (!ownership.seenBy(peer, await sessions.find(session_id))) return session_id;
    try {
      const cursor = await history.judge(session_id, last_sequence, epoch);
      return { session_id, last_sequence, cursor };
    } catch (error) {
      // What cannot be read is said in its turn (CHT-179); the hello is answered all the same.
      onFault(error);
      return { session_id, last_sequence, cursor: { result: 'gap', invalid: false } as const };
    }
  };

  const judge = (peer: Peer, { resume }: Hello): Promise<readonly (ResumePoint | string)[]> => {
    const points = new Map(resume?.sessions.map((point) => [point.session_id, point.last_sequence]));
    return Promise.all([...points].map(([id, last]) => judgeOne(peer, id, last, resume?.epoch)));
  };

  const greetBrowser = async (peer: Peer, hello: Hello): Promise<void> => {
    const judged = await judge(peer, hello);
    if (!peer.isOpen()) return;
    const points = judged.filter((each) => typeof each === 'object');
    const resumed = points.map(({ session_id, cursor }) => ({
      session_id,
      result: cursor.result,
      ...(cursor.result === 'ok' && { last_sequence: cursor.head }),
    }));
    // From the acknowledgement on nothing is missed: no wait until the peer is among those who watch.
    acknowledge(peer, { ...(hello.resume && { resumed }), ...welcome(peer) });
    peer.answer({ type: 'session_snapshot', sessions: sessions.shownTo(peer).map(({ shown }) => shown) });
    for (const each of judged) {
      if (typeof each === 'string') peer.refuse({ session_id: each }, 'session_unknown', NO_SUCH_SESSION);
    }
    history.resume(peer, points);
    peers.add(peer);
    base.run(follow(peer));
  };

  return {
    greet: async (peer, hello) => {
      if (peer.kind === 'browser') return greetBrowser(peer, hello);
      acknowledge(peer, {});
      peers.add(peer);
    },
  };
}
