import { CHAT_FEATURES, type Session } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import { createFrameBudget, type FrameBudget } from './frame-budget.ts';
import { eventText, type FrameOf, type OwnFrame, trustJson } from './frames.ts';
import type { History, ResumePoint } from './history.ts';
import type { InitialState } from './initial-state.ts';
import { areNamesakes, oneName } from './launch-choice.ts';
import type { Peer } from './peer.ts';
import { NO_SUCH_SESSION } from './refusals.ts';
import type { LiveSession } from './sessions.ts';

type Hello = FrameOf<'connection_hello'>;
type Ack = Omit<Extract<OwnFrame, { type: 'connection_ack' }>, 'type'>;

export type Handshake = ReturnType<typeof createHandshake>;

export interface HandshakeParts {
  /** Called before the acknowledgement; the returned function runs at the acknowledgement. */
  readonly initialState: (peer: Peer) => BuildInitialState | Promise<BuildInitialState>;
  /** Sends a browser the rest of its initial state after the handshake. */
  readonly follow: (peer: Peer) => Promise<void>;
}

export type BuildInitialState = (budget: FrameBudget) => InitialState;

export function createHandshake(
  context: CoreContext,
  history: History,
  { initialState, follow }: HandshakeParts,
) {
  const { ledger, sessions, peers, times, onError } = context;

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

  /** Sends sessions that do not fit in the snapshot as their session_up events. */
  const list = (peer: Peer, resumed: ReadonlySet<string>): void => {
    const shown = sessions.shownTo(peer, context.now());
    // Resumed sessions first, because their cursor needs them; then connected ones before disconnected ones.
    const rank = ({ session_id, shown }: LiveSession): number =>
      resumed.has(session_id) ? 0 : shown?.status === 'disconnected' ? 2 : 1;
    const inOrder = shown.toSorted((a, b) => rank(a) - rank(b));
    const [listed, left] = createFrameBudget().fit(inOrder.map((session) => session.shown));
    peer.answer({ type: 'session_snapshot', sessions: listed });
    for (const session of left) peer.send(upText(session), 'answer');
  };

  const upText = (session: Session): string => {
    const { session_id } = session;
    // A session that was away when the relay started: its first event was a session_up.
    const { event_id, sequence } = sessions.get(session_id)?.up ?? {
      event_id: context.id('evt'),
      sequence: 1,
    };
    const payload = trustJson({ session });
    return eventText({
      session_id,
      event_id,
      sequence,
      type: 'session_up',
      payload,
      at: context.now(),
      message_id: null,
    });
  };

  /** Returns the id of a session that does not exist for this peer. */
  const judgeOne = async (
    peer: Peer,
    session_id: string,
    last_sequence: number,
    epoch: string | undefined,
  ) => {
    if (!context.sessions.isSeenBy(peer, await sessions.find(session_id))) return session_id;
    try {
      const cursor = await history.judge(session_id, last_sequence, epoch);
      return { session_id, last_sequence, cursor };
    } catch (error) {
      // A read error is reported in its turn (CHT-179); the hello is still answered.
      onError(error);
      return { session_id, last_sequence, cursor: { result: 'gap', invalid: false } as const };
    }
  };

  const judge = (peer: Peer, { resume }: Hello): Promise<readonly (ResumePoint | string)[]> => {
    const points = new Map(resume?.sessions.map((point) => [point.session_id, point.last_sequence]));
    return Promise.all([...points].map(([id, last]) => judgeOne(peer, id, last, resume?.epoch)));
  };

  const greetBrowser = async (peer: Peer, hello: Hello): Promise<void> => {
    peers.expect(peer);
    const [judged, welcomeNow] = await Promise.all([judge(peer, hello), initialState(peer)]);
    if (!peer.isOpen()) return;
    const points = judged.filter((each) => typeof each === 'object');
    const resumed = points.map(({ session_id, cursor }) => ({
      session_id,
      result: cursor.result,
      ...(cursor.result === 'ok' && { last_sequence: cursor.head }),
    }));
    // No await from here until the peer is added, so that no event is missed after the acknowledgement.
    const budget = createFrameBudget();
    // Sessions that do not fit still get their history.
    const [told] = budget.fit(resumed);
    const { ack, after } = welcomeNow(budget);
    const { node_id: state_epoch } = context;
    acknowledge(peer, { state_epoch, ...(hello.resume && { resumed: told }), ...ack });
    list(peer, new Set(points.map(({ session_id }) => session_id)));
    for (const frame of after) peer.answer(frame);
    for (const each of judged) {
      if (typeof each === 'string') peer.refuse({ session_id: each }, 'session_unknown', NO_SUCH_SESSION);
    }
    history.resume(peer, points);
    peers.add(peer);
    context.run(follow(peer));
  };

  /** CHT-289 */
  const warnNamesakes = (peer: Peer): void => {
    const namesakes = peers.proxies().filter((other) => areNamesakes(peer, other));
    if (namesakes.length === 0) return;
    for (const each of [peer, ...namesakes]) {
      if (each.features.has('label_alarm')) each.refuse({}, 'machine_label_taken', oneName(peer));
    }
  };

  return {
    handshake: async (peer: Peer, hello: Hello): Promise<void> => {
      if (peer.kind === 'browser') return greetBrowser(peer, hello);
      acknowledge(peer, {});
      warnNamesakes(peer);
      peers.add(peer);
    },
  };
}
