import { createBusInbox } from './bus-inbox.ts';
import { createFollowerPerform } from './commands.ts';
import { createConnections } from './connections.ts';
import { createDelivery } from './delivery.ts';
import { createFollowerSnapshot } from './follower-snapshot.ts';
import { createForwardedCommands } from './forwarded-commands.ts';
import { createHandshake } from './handshake.ts';
import { createHistory } from './history.ts';
import { openNodeCore } from './node-core.ts';
import { createNodeHeartbeat } from './node-heartbeat.ts';
import { createOwnership } from './ownership.ts';
import type { CorePorts, CoreTimes, RelayCore, RelayEvent } from './ports.ts';
import { createQueueEdits } from './queue-edits.ts';
import { MAX_TAKEN_UP } from './recovery.ts';
import { createSends } from './sends.ts';

/**
 * A follower node: commits sends and reads history itself, and forwards every other command to the leader.
 */
export async function createFollowerCore(
  ports: CorePorts,
  changed: Partial<CoreTimes> = {},
): Promise<RelayCore> {
  const { bus, ledger, onError } = ports;

  const dispatch = (event: RelayEvent): void => {
    const session = context.sessions.get(event.session_id);
    if (session !== undefined) context.sessions.apply(session, event);
    snapshot.observe(event);
    delivery.observe(event, session);
    context.peers.broadcast(event);
  };

  const nodeCore = await openNodeCore(ports, changed, {
    isLeader: false,
    hasOthers: () => false,
    dispatch,
    onGone: (session_id) => busInbox.gone(session_id),
    onCommitted: (session_id) => heartbeat.appended(session_id),
  });
  const { context, node_id } = nodeCore;
  const ownership = createOwnership(context);
  const delivery = createDelivery(context, ownership, { left: () => {} });
  const history = createHistory(context, ownership);
  const snapshot = createFollowerSnapshot(context, ownership, (peer, request_id) =>
    forwardedCommands.answered(peer, request_id),
  );
  const heartbeat = createNodeHeartbeat({
    node_id,
    isLeader: false,
    bus,
    after: context.after,
    head: context.feed.head,
  });
  const forwardedCommands = createForwardedCommands(nodeCore, heartbeat);
  const handshake = createHandshake(context, ownership, history, {
    initialState: snapshot.initialState,
    follow: snapshot.sendHeldPrompts,
  });
  const handlers = {
    sends: createSends(context, ownership, delivery, history, {
      isAway: ({ shown }) => shown?.status === 'disconnected',
      onRepeated: heartbeat.appended,
    }),
    history,
    queueEdits: createQueueEdits(context, ownership),
  };
  const connections = createConnections({
    base: context,
    perform: createFollowerPerform(handlers, forwardedCommands.forward),
    handshake: handshake.handshake,
    takesProxies: false,
    onEnd: forwardedCommands.left,
    settle: () => {
      history.close();
      return nodeCore.close();
    },
  });
  let leaderId: string | undefined;
  const busInbox = createBusInbox({
    ...{ ...nodeCore, bus, isLeader: false, dismiss: connections.dismiss },
    onHeartbeat: (message) => {
      if (!message.keeps) return;
      forwardedCommands.leaderSeen(message.node_id);
      // The last leader may have stored events without publishing them.
      if (leaderId !== undefined && leaderId !== message.node_id) context.run(resync());
      leaderId = message.node_id;
    },
    onAsked: () => {},
    onDelivered: forwardedCommands.delivered,
  });

  /** Launch outcomes are sent once after they are stored, and that bus message may be lost. */
  const resync = async (): Promise<void> => {
    await busInbox.resync();
    for (const peer of forwardedCommands.requesters()) await snapshot.sendHeldPrompts(peer).catch(onError);
  };

  /** Runs after the heads were read: events in between are received too and change nothing that is there. */
  const restore = async (): Promise<void> => {
    await snapshot.restore();
    for (const waiting of await ledger.expiredMessages(Number.MAX_SAFE_INTEGER, MAX_TAKEN_UP)) {
      await delivery.restore(waiting);
    }
  };
  await restore().catch(async (error: unknown) => {
    await nodeCore.close();
    throw error;
  });
  nodeCore.listen(busInbox.receive);
  await busInbox.resync();
  heartbeat.start();

  return {
    ...connections,
    revoke: (device_id) => {
      connections.dismiss(device_id);
      heartbeat.revoked(device_id);
    },
    resync,
  };
}
