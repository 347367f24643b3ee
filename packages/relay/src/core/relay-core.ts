import { createAgentQuestions } from './agent-questions.ts';
import { createAnnouncements } from './announcements.ts';
import { createBusInbox } from './bus-inbox.ts';
import { createCloses } from './closes.ts';
import { type CoreParts, createPerform } from './commands.ts';
import { configsShownTo, createConfigs } from './configs.ts';
import { createConnections } from './connection.ts';
import { createControls } from './controls.ts';
import { type CoreContext, openCoreContext } from './core-context.ts';
import { createDelivery } from './delivery.ts';
import { createDeltas } from './deltas.ts';
import { createEchoes } from './echoes.ts';
import { createFollowerSnapshot } from './follower-snapshot.ts';
import { createForwardedCommands } from './forwarded-commands.ts';
import { trustStored } from './frames.ts';
import { createGrowingTexts } from './growing-texts.ts';
import { createHandshake, type HandshakeParts } from './handshake.ts';
import { createHistory } from './history.ts';
import { createInitialState } from './initial-state.ts';
import { createLatestFrames } from './latest-frames.ts';
import { createLaunches } from './launches.ts';
import { createNodeHeartbeat, type NodeHeartbeat } from './node-heartbeat.ts';
import { createOffers } from './offers.ts';
import { createPassedFrames } from './passed-frames.ts';
import type { Peer } from './peer.ts';
import type {
  BusListener,
  BusMessageOf,
  CorePorts,
  CoreTimes,
  EventListener,
  OnEvents,
  RelayCore,
  RelayEvent,
} from './ports.ts';
import { createPrompts } from './prompts.ts';
import { createQueueEdits } from './queue-edits.ts';
import { MAX_TAKEN_UP, recover } from './recovery.ts';
import { createRemotePeers } from './remote-peers.ts';
import { createResyncs } from './resyncs.ts';
import { createScheduledSends } from './scheduled-sends.ts';
import { createSends } from './sends.ts';
import { createStops } from './stops.ts';
import { createStreams } from './streams.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createTranscript } from './transcript.ts';

/** A single relay is a leader without followers. */
export type CoreRole = 'leader' | 'follower';

/**
 * The relay without sockets and disk. The leader has the proxies and resumes what the ledger holds open. A
 * follower commits sends and reads history itself, and forwards every other command to the leader.
 */
export async function createRelayCore(
  ports: CorePorts,
  changed: Partial<CoreTimes> = {},
  coreRole: CoreRole = 'leader',
): Promise<RelayCore> {
  const opened = await openCoreContext(ports, changed, coreRole === 'leader');
  const { context, live } = opened;
  const { bus, feed, isLeader, peers, sessions } = context;

  const listeners = new Map<string, Set<EventListener>>();
  const onEvents: OnEvents = (kinds, listener) => {
    for (const kind of kinds) listeners.set(kind, (listeners.get(kind) ?? new Set()).add(listener));
    return () => {
      for (const kind of kinds) listeners.get(kind)?.delete(listener);
    };
  };

  const heartbeat = createNodeHeartbeat(context);
  const growing = createGrowingTexts(context);
  const streams = createStreams(context, {
    publish: (session_id, text) => {
      growing.append(session_id, text);
      if (peers.nodes.size > 0) bus.publish({ kind: 'grown', session_id, text });
    },
    isSeenWhole: (session_id) => peers.nodes.size > 0 || peers.isSeenWithout(session_id, 'appends'),
  });
  const show = (session_id: string, text: string, feature: string): void => {
    peers.show(session_id, text, feature);
    if (peers.nodes.size > 0) bus.publish({ kind: 'grown', session_id, text, feature });
  };
  const latestFrames = createLatestFrames(context, show);
  const subscriptions = createSubscriptions(context, latestFrames.repeat);
  const echoes = createEchoes(context);
  const delivery = createDelivery(context, echoes, show);
  const announcements = createAnnouncements(context, delivery);
  const history = createHistory(context, growing.catchUp);
  const controls = createControls(context);
  const prompts = createPrompts(context, controls);
  const launches = createLaunches(context, announcements);
  const offers = createOffers(context);
  const sends = createSends(context, delivery, history, heartbeat);
  const scheduledSends = createScheduledSends(context, sends, onEvents);
  const stops = createStops(context, controls, announcements.goalSet);
  const transcript = createTranscript(context, streams, echoes);
  const passedFrames = createPassedFrames(context, show, delivery.takeDelivered);
  const parts: CoreParts = {
    ...{ delivery, announcements, history, launches, prompts, controls, offers },
    transcript,
    ...{ passedFrames, resyncs: createResyncs(context, transcript, show) },
    ...{ sends, scheduledSends },
    queueEdits: createQueueEdits(context),
    closes: createCloses(context, announcements, delivery, prompts),
    questions: createAgentQuestions(context),
    configs: createConfigs(context, controls),
    ...{ subscriptions, latestFrames },
    deltas: createDeltas(context, show),
    stops,
  };
  const role = isLeader
    ? leaderRole(context, parts, () => recover(context, live, parts))
    : followerRole(context, parts, heartbeat);
  const perform = createPerform(parts, role.forward);
  const connections = createConnections(context, {
    perform,
    handshake: createHandshake(context, history, role).handshake,
    onEnd: (peer) => {
      role.onEnd(peer);
      if (peer.kind !== 'proxy') return;
      streams.flush();
      controls.gone(peer);
      announcements.gone(peer);
      delivery.gone(peer);
    },
  });
  const { dismiss } = connections;
  const busInbox = createBusInbox(context, {
    dismiss,
    onDelivered: role.onDelivered,
    onGrown: growing.append,
    onLatest: latestFrames.receive,
  });
  const remotePeers = createRemotePeers(context, {
    ...{ heartbeat, perform },
    onJoined: latestFrames.publishAll,
    onSilent: () => context.run(busInbox.resync()),
  });
  const resync = async (): Promise<void> => {
    await busInbox.resync();
    await role.afterResync();
  };

  onEvents(['message_accepted'], delivery.onAccepted);
  // A single relay has accepted all of its sends itself.
  if (ports.bus !== undefined) onEvents(['user_message'], delivery.onMessage);
  onEvents(['message_delivered', 'message_failed', 'message_cancelled'], delivery.onSettled);
  if (isLeader) onEvents(['session_status'], passedFrames.onStatus);
  role.listen(onEvents);
  feed.listen({
    onEvent: (event) => {
      const session = sessions.get(event.session_id);
      const before = session?.shown;
      if (session !== undefined) sessions.apply(session, event);
      const kind = kindOf(event);
      const subscriberView = () => subscriptions.viewOf(event, session?.shown, before);
      if (kind === 'message_event') growing.broadcast(event, subscriberView);
      else peers.broadcast(event, subscriberView);
      if (peers.nodes.size > 0) heartbeat.appended(event.session_id);
      for (const listener of listeners.get(kind) ?? []) listener(event, session, before);
    },
    onGone: busInbox.gone,
    ...(!isLeader && { onPublished: heartbeat.appended }),
  });

  const receive: BusListener = (message, acknowledge) => {
    try {
      const isRequest = message.kind === 'heartbeat' || message.kind === 'command';
      if (isRequest && message.node_id === context.node_id) return;
      busInbox.receive(message, acknowledge);
      if (isLeader && message.kind === 'command') remotePeers.command(message, acknowledge);
      if (isLeader && message.kind === 'heartbeat') remotePeers.heartbeat(message);
      if (message.kind === 'heartbeat' && role.isOtherLeader(message)) context.run(resync());
    } catch (error) {
      // A malformed bus message must not stop the node.
      context.onError(error);
    }
  };

  const close = (): Promise<void> => {
    history.close();
    streams.flush();
    return opened.close();
  };
  if (isLeader) opened.listen(receive);
  await role.start().catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  if (!isLeader) {
    opened.listen(receive);
    await busInbox.resync();
    heartbeat.start();
  }

  return {
    ...{ connect: connections.connect, machines: offers.machines, scheduledSends, dismiss, resync, onEvents },
    appended: (session_id, events) => {
      busInbox.appended(session_id, events);
      bus.publish({ kind: 'appended', session_id, events });
    },
    pendingSends: delivery.pending,
    onAgentStopped: stops.onStopped,
    onLaunched: launches.onLaunched,
    revoke: (device_id) => {
      dismiss(device_id);
      heartbeat.revoked(device_id);
    },
    stop: () => connections.stop(close),
  };
}

/** The difference between a leader and a follower. */
interface Role extends HandshakeParts {
  readonly forward?: Parameters<typeof createPerform>[1];
  readonly listen: (onEvents: OnEvents) => void;
  readonly onEnd: (peer: Peer) => void;
  /** A client message was delivered here. */
  readonly onDelivered: (message: BusMessageOf<'client_message'>) => void;
  /** Called for heartbeats; true when the leader has changed. */
  readonly isOtherLeader: (message: BusMessageOf<'heartbeat'>) => boolean;
  readonly afterResync: () => Promise<void>;
  readonly start: () => Promise<void>;
}

const NOTHING = (): void => {};

function kindOf({ type, payload }: RelayEvent): string {
  const { role } = trustStored<{ role?: string }>(payload['message'] ?? {});
  return type === 'message_event' && role === 'user' ? 'user_message' : type;
}

function leaderRole(
  context: CoreContext,
  { delivery, launches, prompts, latestFrames }: CoreParts,
  start: () => Promise<void>,
): Role {
  return {
    initialState: (peer) => (budget) => {
      const configs = configsShownTo(peer, context);
      return createInitialState(
        { launches: launches.pendingFor(peer), prompts: prompts.openFor(peer), configs },
        budget,
      );
    },
    follow: (peer) => {
      latestFrames.repeatAll(peer);
      delivery.repeatChecks(peer);
      return launches.sendPending(peer);
    },
    listen: (onEvents) => void onEvents(['permission_prompt_expired'], prompts.observeEnd),
    onEnd: NOTHING,
    onDelivered: NOTHING,
    isOtherLeader: () => false,
    afterResync: () => Promise.resolve(),
    start,
  };
}

function followerRole(
  context: CoreContext,
  { delivery, latestFrames }: CoreParts,
  heartbeat: NodeHeartbeat,
): Role {
  const { ledger, onError } = context;
  const forwarded = createForwardedCommands(context, heartbeat);
  const snapshot = createFollowerSnapshot(context, forwarded.answered);
  let leaderId: string | undefined;
  return {
    initialState: snapshot.initialState,
    follow: (peer) => {
      latestFrames.repeatAll(peer);
      return snapshot.sendHeldPrompts(peer);
    },
    forward: forwarded.forward,
    listen: (onEvents) =>
      void onEvents(
        ['permission_prompt', 'permission_prompt_answered', 'permission_prompt_expired'],
        snapshot.observe,
      ),
    onEnd: forwarded.left,
    onDelivered: forwarded.delivered,
    isOtherLeader: ({ is_leader, node_id }) => {
      if (!is_leader) return false;
      forwarded.leaderSeen(node_id);
      // The last leader may have stored events without publishing them.
      const isOther = leaderId !== undefined && leaderId !== node_id;
      leaderId = node_id;
      return isOther;
    },
    /** Launch outcomes are sent once after they are stored, and that bus message may be lost. */
    afterResync: async () => {
      for (const peer of forwarded.requesters()) await snapshot.sendHeldPrompts(peer).catch(onError);
    },
    /** Runs after the heads were read: events in between are received too and change nothing that is there. */
    start: async () => {
      await snapshot.restore();
      for (const waiting of await ledger.expiredMessages(Number.MAX_SAFE_INTEGER, MAX_TAKEN_UP))
        await delivery.restore(waiting);
    },
  };
}
