import { createBeat } from './beat.ts';
import { createBoard } from './board.ts';
import { createBranchPerform } from './commands.ts';
import { createConnections } from './connections.ts';
import { createErrands } from './errands.ts';
import { layFoundation } from './foundation.ts';
import { createGreeting } from './greeting.ts';
import { createHearing } from './hearing.ts';
import { createHistory } from './history.ts';
import { createOwnership } from './ownership.ts';
import type { CorePorts, CoreTimes, RelayCore, RelayEvent } from './ports.ts';
import { createQueueEdits } from './queue-edits.ts';
import { MAX_TAKEN_UP } from './recovery.ts';
import { createSends, type WayOut } from './sends.ts';
import { createSettlements } from './settlements.ts';
import { createUnsettledSends } from './unsettled-sends.ts';

/**
 * A follower node: commits sends and reads history itself, and forwards every other command to the leader.
 */
export async function createBranchCore(
  ports: CorePorts,
  changed: Partial<CoreTimes> = {},
): Promise<RelayCore> {
  const { bus, ledger, onFault } = ports;

  const dispatch = (event: RelayEvent): void => {
    const session = base.sessions.get(event.session_id);
    if (session !== undefined) base.sessions.apply(session, event);
    board.heard(event);
    unsettled.heard(event);
    base.peers.broadcast(event);
  };

  const foundation = await layFoundation(ports, changed, {
    keeps: false,
    hasOthers: () => false,
    dispatch,
    onGone: (session_id) => hearing.gone(session_id),
    onCommitted: (session_id) => beat.appended(session_id),
  });
  const { base, node_id } = foundation;
  const ownership = createOwnership(base);
  const unsettled = createUnsettledSends();
  const history = createHistory(base, ownership);
  const board = createBoard(base, ownership, (peer, request_id) => errands.answered(peer, request_id));
  const beat = createBeat({ node_id, keeps: false, bus, after: base.after, head: base.feed.head });
  const errands = createErrands(foundation, beat);
  const greeting = createGreeting(base, ownership, history, {
    welcome: board.welcome,
    follow: board.tellHeld,
  });
  const way: WayOut = {
    lineTo: () => undefined,
    depart: () => () => {},
    prepare: () => {},
    isAway: ({ shown }) => shown?.status === 'disconnected',
    isKnown: ({ session_id, sequence }) => {
      beat.appended(session_id);
      return base.feed.reach(session_id, sequence);
    },
  };
  const desks = {
    sends: createSends(base, ownership, way, createSettlements(base), unsettled),
    history,
    queueEdits: createQueueEdits(base, ownership),
  };
  const connections = createConnections({
    base,
    perform: createBranchPerform(desks, errands.carry),
    greet: greeting.greet,
    takesProxies: false,
    onEnd: errands.left,
    settle: () => {
      history.close();
      return foundation.close();
    },
  });
  let keeper: string | undefined;
  const hearing = createHearing({
    ...{ ...foundation, bus, keeps: false, dismiss: connections.dismiss },
    onBeat: (note) => {
      if (!note.keeps) return;
      errands.keeper(note.node_id);
      // The last leader may have stored events without publishing them.
      if (keeper !== undefined && keeper !== note.node_id) base.run(resync());
      keeper = note.node_id;
    },
    onAsked: () => {},
    onTold: errands.told,
  });

  /** Launch outcomes are sent once after they are stored, and that bus message may be lost. */
  const resync = async (): Promise<void> => {
    await hearing.resync();
    for (const peer of errands.askers()) await board.tellHeld(peer).catch(onFault);
  };

  /** Runs after the heads were read: events in between are received too and change nothing that is there. */
  const restore = async (): Promise<void> => {
    await board.restore();
    for (const waiting of await ledger.expiredMessages(Number.MAX_SAFE_INTEGER, MAX_TAKEN_UP)) {
      unsettled.add(waiting.session_id, waiting.client_message_id, waiting.chars);
    }
  };
  await restore().catch(async (error: unknown) => {
    await foundation.close();
    throw error;
  });
  foundation.listen(hearing.hear);
  await hearing.resync();
  beat.start();

  return {
    ...connections,
    revoke: (device_id) => {
      connections.dismiss(device_id);
      beat.revoked(device_id);
    },
    resync,
  };
}
