import { createAnnouncements } from './announcements.ts';
import { createBeat } from './beat.ts';
import { createCloses } from './closes.ts';
import { createPerform, type Desks } from './commands.ts';
import { configsShownTo, createConfigs } from './configs.ts';
import { createConnections } from './connections.ts';
import { createControls } from './controls.ts';
import { createDelivery } from './delivery.ts';
import { createExpiry } from './expiry.ts';
import { layFoundation } from './foundation.ts';
import { createGreeting } from './greeting.ts';
import { createHearing } from './hearing.ts';
import { createHistory } from './history.ts';
import { createLaunches } from './launches.ts';
import { createOwnership } from './ownership.ts';
import type { CorePorts, CoreTimes, RelayCore, RelayEvent } from './ports.ts';
import { createPrompts } from './prompts.ts';
import { createQuestions } from './questions.ts';
import { createQueueEdits } from './queue-edits.ts';
import { recover } from './recovery.ts';
import { createRemotePeers } from './remote-peers.ts';
import { createSends, type WayOut } from './sends.ts';
import { createSettlements } from './settlements.ts';
import { createTranscript } from './transcript.ts';
import { createUnsettledSends, SETTLING } from './unsettled-sends.ts';
import { createWelcome } from './welcome.ts';

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
    const session = base.sessions.get(session_id);
    if (session !== undefined) base.sessions.apply(session, event);
    base.peers.broadcast(event);
    if (remotePeers.hasOthers()) beat.appended(session_id);
    if (type === 'permission_prompt_expired') prompts.heardEnd(event);
    unsettled.heard(event);
    const { client_message_id } = event.payload;
    if (session === undefined || typeof client_message_id !== 'string') return;
    if (SETTLING.has(type)) {
      expiry.settled(session_id, client_message_id);
      transcript.settled(event, client_message_id);
    }
    if (type !== 'message_accepted' || delivery.accepted(session, client_message_id, event.sequence)) return;
    expiry.watch(session_id, client_message_id);
    const isOurs = unsettled.has(session_id, client_message_id);
    if (!isOurs && session.proxy === undefined) expiry.hurry(session_id, client_message_id);
  };

  const foundation = await layFoundation(ports, changed, {
    keeps: true,
    hasOthers: () => remotePeers.hasOthers(),
    dispatch,
    onGone: (session_id) => hearing.gone(session_id),
  });
  const { base, node_id, live } = foundation;
  const ownership = createOwnership(base);
  const settlements = createSettlements(base);
  const unsettled = createUnsettledSends();
  const transcript = createTranscript(base, ownership);
  const delivery = createDelivery(base, ownership, settlements, unsettled, transcript);
  const announcements = createAnnouncements(base, ownership, delivery);
  const expiry = createExpiry(base, delivery, settlements);
  const history = createHistory(base, ownership);
  const controls = createControls(base, ownership);
  const prompts = createPrompts(base, ownership, controls);
  const launches = createLaunches(base, announcements);
  const way = {
    ...delivery,
    isAway: ({ proxy }) => proxy === undefined,
    isKnown: ({ session_id, sequence }) => base.feed.reach(session_id, sequence),
  } satisfies WayOut;
  const desks: Desks = {
    sends: createSends(base, ownership, way, settlements, unsettled),
    delivery,
    announcements,
    history,
    transcript,
    queueEdits: createQueueEdits(base, ownership),
    launches,
    closes: createCloses(base, ownership, announcements, delivery, prompts),
    prompts,
    questions: createQuestions(base, ownership),
    controls,
    configs: createConfigs(base, ownership, controls),
  };
  const greeting = createGreeting(base, ownership, history, {
    welcome: (peer) => (budget) => {
      const configs = configsShownTo(peer, base);
      return createWelcome(
        { launches: launches.pendingFor(peer), prompts: prompts.openFor(peer), configs },
        budget,
      );
    },
    follow: launches.tellHeld,
  });
  const perform = createPerform(desks);
  const connections = createConnections({
    base,
    perform,
    greet: greeting.greet,
    takesProxies: true,
    onEnd: (peer) => {
      if (peer.kind !== 'proxy') return;
      controls.gone(peer);
      announcements.gone(peer);
      delivery.gone(peer);
    },
    settle: () => {
      history.close();
      return foundation.close();
    },
  });
  const beat = createBeat({ node_id, keeps: true, bus, after: base.after, head: base.feed.head });
  const remotePeers = createRemotePeers({
    ...{ ...foundation, bus, beat, perform },
    onSilent: () => base.run(hearing.resync()),
  });
  const hearing = createHearing({
    ...{ ...foundation, bus, keeps: true, dismiss: connections.dismiss },
    onBeat: remotePeers.beat,
    onAsked: remotePeers.asked,
    onTold: () => {},
  });
  foundation.listen(hearing.hear);

  await recover(base, live, { announcements, settlements, prompts, launches, expiry, unsettled });

  return {
    ...connections,
    revoke: (device_id) => {
      connections.dismiss(device_id);
      beat.revoked(device_id);
    },
    resync: hearing.resync,
  };
}
