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
import type { CorePorts, CoreTimes, RelayCore, RelayEvent } from './ports.ts';
import { createPrompts } from './prompts.ts';
import { createQueueEdits } from './queue-edits.ts';
import { recover } from './recovery.ts';
import { createRemotePeers } from './remote-peers.ts';
import { createSends } from './sends.ts';
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
    const { session_id } = event;
    const session = context.sessions.get(session_id);
    if (session !== undefined) context.sessions.apply(session, event);
    context.peers.broadcast(event);
    if (remotePeers.hasOthers()) heartbeat.appended(session_id);
    if (event.type === 'permission_prompt_expired') prompts.observeEnd(event);
    delivery.observe(event, session);
    transcript.observeOutcome(event);
  };

  const nodeCore = await openNodeCore(ports, changed, {
    isLeader: true,
    hasOthers: () => remotePeers.hasOthers(),
    dispatch,
    onGone: (session_id) => busInbox.gone(session_id),
  });
  const { context, node_id, live } = nodeCore;
  const ownership = createOwnership(context);
  const streams = createStreams(context, (session_id, text) => {
    context.peers.show(session_id, text, APPENDS);
    if (remotePeers.hasOthers()) bus.publish({ kind: 'grown', session_id, text });
  });
  const transcript = createTranscript(context, ownership, streams);
  const delivery = createDelivery(context, ownership, transcript);
  const announcements = createAnnouncements(context, ownership, delivery);
  const history = createHistory(context, ownership, streams.catchUp);
  const controls = createControls(context, ownership);
  const prompts = createPrompts(context, ownership, controls);
  const launches = createLaunches(context, announcements);
  const handlers: LeaderHandlers = {
    sends: createSends(context, ownership, delivery, history, {
      isAway: ({ proxy }) => proxy === undefined,
      onRepeated: () => {},
    }),
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

  await recover(context, live, { announcements, delivery, prompts, launches });

  return {
    ...connections,
    revoke: (device_id) => {
      connections.dismiss(device_id);
      heartbeat.revoked(device_id);
    },
    resync: busInbox.resync,
  };
}
