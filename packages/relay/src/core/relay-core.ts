import { createAgentQuestions } from './agent-questions.ts';
import { createAnnouncements } from './announcements.ts';
import { createBusInbox } from './bus-inbox.ts';
import { createCloses } from './closes.ts';
import { createPerform, type LeaderHandlers } from './commands.ts';
import { configsShownTo, createConfigs } from './configs.ts';
import { createConnections } from './connections.ts';
import { createControls } from './controls.ts';
import { createDelivery } from './delivery.ts';
import { createHandshake } from './handshake.ts';
import { createHistory } from './history.ts';
import { createInitialState } from './initial-state.ts';
import { createLaunches } from './launches.ts';
import { openNodeCore } from './node-core.ts';
import { createNodeHeartbeat } from './node-heartbeat.ts';
import { createOwnership } from './ownership.ts';
import { createPendingSends, SETTLING } from './pending-sends.ts';
import type { CorePorts, CoreTimes, RelayCore, RelayEvent } from './ports.ts';
import { createPrompts } from './prompts.ts';
import { createQueueEdits } from './queue-edits.ts';
import { recover } from './recovery.ts';
import { createRemotePeers } from './remote-peers.ts';
import { createSendExpiry } from './send-expiry.ts';
import { createSendOutcomes } from './send-outcomes.ts';
import { createSends, type SendRoute } from './sends.ts';
import { APPENDS, createStreams } from './streams.ts';
import { createTranscript } from './transcript.ts';

/**
 * The relay without sockets and disk, as a single relay or as the leader, which has the proxies. Resumes what
 * the ledger holds open.
 */
export async function createRelayCore(
  ports: CorePorts,
  changed: Partial<CoreTimes> = {},
): Promise<RelayCore> {
  const { bus } = ports;

  const dispatch = (event: RelayEvent): void => {
    const { session_id, type } = event;
    const session = context.sessions.get(session_id);
    if (session !== undefined) context.sessions.apply(session, event);
    context.peers.broadcast(event);
    if (remotePeers.hasOthers()) heartbeat.appended(session_id);
    if (type === 'permission_prompt_expired') prompts.observeEnd(event);
    pending.observe(event);
    const { client_message_id } = event.payload;
    if (session === undefined || typeof client_message_id !== 'string') return;
    if (SETTLING.has(type)) {
      expiry.settled(session_id, client_message_id);
      transcript.settled(event, client_message_id);
    }
    if (type !== 'message_accepted' || delivery.onAccepted(session, client_message_id, event.sequence))
      return;
    expiry.watch(session_id, client_message_id);
    const isOurs = pending.has(session_id, client_message_id);
    if (!isOurs && session.proxy === undefined) expiry.failNow(session_id, client_message_id);
  };

  const nodeCore = await openNodeCore(ports, changed, {
    isLeader: true,
    hasOthers: () => remotePeers.hasOthers(),
    dispatch,
    onGone: (session_id) => busInbox.gone(session_id),
  });
  const { context, node_id, live } = nodeCore;
  const ownership = createOwnership(context);
  const outcomes = createSendOutcomes(context);
  const pending = createPendingSends();
  const streams = createStreams(context, (session_id, text) => {
    context.peers.show(session_id, text, APPENDS);
    if (remotePeers.hasOthers()) bus.publish({ kind: 'grown', session_id, text });
  });
  const transcript = createTranscript(context, ownership, streams);
  const delivery = createDelivery(context, ownership, outcomes, pending, transcript, (...held) =>
    expiry.hold(...held),
  );
  const announcements = createAnnouncements(context, ownership, delivery);
  const expiry = createSendExpiry(context, delivery, outcomes);
  const history = createHistory(context, ownership, streams.catchUp);
  const controls = createControls(context, ownership);
  const prompts = createPrompts(context, ownership, controls);
  const launches = createLaunches(context, announcements);
  const sendRoute = {
    ...delivery,
    isAway: ({ proxy }) => proxy === undefined,
    awaitDispatched: ({ session_id, sequence }) => context.feed.reach(session_id, sequence),
    resumed: history.resumed,
  } satisfies SendRoute;
  const handlers: LeaderHandlers = {
    sends: createSends(context, ownership, sendRoute, outcomes, pending),
    delivery,
    announcements,
    history,
    transcript,
    queueEdits: createQueueEdits(context, ownership),
    launches,
    closes: createCloses(context, ownership, announcements, delivery, prompts),
    prompts,
    questions: createAgentQuestions(context, ownership),
    controls,
    configs: createConfigs(context, ownership, controls),
  };
  const handshake = createHandshake(context, ownership, history, {
    initialState: (peer) => (budget) => {
      const configs = configsShownTo(peer, context);
      return createInitialState(
        { launches: launches.pendingFor(peer), prompts: prompts.openFor(peer), configs },
        budget,
      );
    },
    follow: launches.sendPending,
  });
  const perform = createPerform(handlers);
  const connections = createConnections({
    base: context,
    perform,
    handshake: handshake.handshake,
    takesProxies: true,
    onEnd: (peer) => {
      if (peer.kind !== 'proxy') return;
      streams.flush();
      controls.gone(peer);
      announcements.gone(peer);
      delivery.gone(peer);
    },
    settle: () => {
      history.close();
      streams.flush();
      return nodeCore.close();
    },
  });
  const heartbeat = createNodeHeartbeat({
    node_id,
    isLeader: true,
    bus,
    after: context.after,
    head: context.feed.head,
  });
  const remotePeers = createRemotePeers({
    ...{ ...nodeCore, bus, heartbeat, perform },
    onSilent: () => context.run(busInbox.resync()),
  });
  const busInbox = createBusInbox({
    ...{ ...nodeCore, bus, isLeader: true, dismiss: connections.dismiss },
    onHeartbeat: remotePeers.heartbeat,
    onAsked: remotePeers.asked,
    onDelivered: () => {},
  });
  nodeCore.listen(busInbox.receive);

  await recover(context, live, { announcements, outcomes, prompts, launches, expiry, pending });

  return {
    ...connections,
    revoke: (device_id) => {
      connections.dismiss(device_id);
      heartbeat.revoked(device_id);
    },
    resync: busInbox.resync,
  };
}
