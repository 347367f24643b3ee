import { createAnnouncements } from './announcements.ts';
import { type Base, createEventWriter } from './base.ts';
import { createCloses } from './closes.ts';
import type { Desks } from './commands.ts';
import { createConfigs } from './configs.ts';
import { CLOSE_CODES, type OpenConnection, openConnection } from './connection.ts';
import { createControls } from './controls.ts';
import { createDelivery } from './delivery.ts';
import { createExpiry } from './expiry.ts';
import { createFeed } from './feed.ts';
import { frameText } from './frames.ts';
import { createGreeting } from './greeting.ts';
import { createHistory } from './history.ts';
import { createInsist } from './insistence.ts';
import { createJournal } from './journal.ts';
import { createLaunches } from './launches.ts';
import { createOwnership } from './ownership.ts';
import { createPeers } from './peers.ts';
import {
  CORE_TIMES,
  type CorePorts,
  type CoreTimes,
  type Note,
  type RelayCore,
  type RelayEvent,
} from './ports.ts';
import { createPrompts } from './prompts.ts';
import { createQuestions } from './questions.ts';
import { createQueueEdits } from './queue-edits.ts';
import { recover } from './recovery.ts';
import { createSends } from './sends.ts';
import { createSessions } from './sessions.ts';
import { createSettlements } from './settlements.ts';
import { createTasks } from './tasks.ts';
import { createTimers } from './timers.ts';
import { createTranscript } from './transcript.ts';
import { createUnsettledSends } from './unsettled-sends.ts';
import { createWelcome } from './welcome.ts';

/** A restart takes less than this. */
const RECONNECT_AFTER_MS = 1_000;

const SETTLING: ReadonlySet<string> = new Set(['message_delivered', 'message_failed', 'message_cancelled']);

/** The relay without its sockets and its disk. It takes up what the ledger holds open. */
export async function createRelayCore(
  ports: CorePorts,
  changed: Partial<CoreTimes> = {},
): Promise<RelayCore> {
  const { ledger, clock, bus, onFault } = ports;
  const times = { ...CORE_TIMES, ...changed };
  const timers = createTimers(clock);
  const tasks = createTasks(onFault);
  const [live, heads] = await Promise.all([ledger.liveSessions(), ledger.heads()]);
  const sessions = createSessions(ledger, live, new Set(heads.map(({ session_id }) => session_id)));
  const peers = createPeers(bus);

  const dispatch = (event: RelayEvent): void => {
    const session = sessions.get(event.session_id);
    if (session !== undefined) sessions.apply(session, event);
    peers.broadcast(event);
    if (event.type === 'message_event') transcript.said(event);
    if (event.type === 'permission_prompt_expired') prompts.heardEnd(event);
    const { client_message_id } = event.payload;
    if (session === undefined || typeof client_message_id !== 'string') return;
    if (SETTLING.has(event.type)) {
      expiry.settled(event.session_id, client_message_id);
      unsettled.remove(event.session_id, client_message_id);
      transcript.settled(event, client_message_id);
    }
    if (event.type !== 'message_accepted') return;
    if (!delivery.accepted(session, client_message_id, event.sequence)) {
      expiry.watch(event.session_id, client_message_id);
    }
  };
  const feed = createFeed({
    ledger,
    heads: new Map(heads.map(({ session_id, head }) => [session_id, head])),
    dispatch,
    run: tasks.run,
  });
  const base: Base = {
    ledger,
    times,
    now: clock.now,
    id: ports.id,
    after: timers.after,
    run: tasks.run,
    onFault,
    insist: createInsist({ after: timers.after, run: tasks.run, onFault }),
    sessions,
    peers,
    feed,
    commit: createJournal({ ledger, bus, feed }),
    event: createEventWriter(ports.id),
  };
  const ownership = createOwnership(base);
  const settlements = createSettlements(base);
  const unsettled = createUnsettledSends();
  const delivery = createDelivery(base, ownership, settlements, unsettled);
  const announcements = createAnnouncements(base, ownership, delivery);
  const expiry = createExpiry(base, delivery, settlements);
  const history = createHistory(base, ownership);
  const transcript = createTranscript(base, ownership);
  const controls = createControls(base, ownership);
  const configs = createConfigs(base, ownership, controls);
  const prompts = createPrompts(base, ownership, controls);
  const launches = createLaunches(base, announcements);
  const welcome = createWelcome({ launches, prompts, configs });
  const desks: Desks = {
    greeting: createGreeting(base, ownership, history, { welcome, follow: launches.tellHeld }),
    sends: createSends(base, ownership, delivery, settlements, unsettled),
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
    configs,
  };

  const hear = async ({ session_id, events }: Extract<Note, { kind: 'appended' }>): Promise<void> => {
    await sessions.load(session_id);
    feed.offer(session_id, events);
  };
  const stopListening = bus.onNote((note) => {
    if (note.kind === 'told') peers.tell({ ...note, connection_id: null }, note.text);
    else if (sessions.get(note.session_id) === undefined) tasks.run(hear(note));
    else feed.offer(note.session_id, note.events);
  });

  await recover(base, live, { announcements, settlements, prompts, launches, expiry, unsettled });

  const connections = new Set<OpenConnection>();
  let stopping: Promise<void> | undefined;

  /** The next start finds the ledger as after a crash, and needs no more: there is one way to end. */
  const stop = async (): Promise<void> => {
    const hint = frameText({ type: 'reconnect_hint', after_ms: RECONNECT_AFTER_MS }, clock.now());
    for (const connection of connections) connection.hint(hint);
    timers.close();
    history.close();
    await tasks.idle();
    stopListening();
    for (const connection of [...connections]) connection.end(CLOSE_CODES.stopping, 'the relay stops');
  };

  return {
    connect: (port) => {
      const connection = openConnection({
        connection_id: ports.id('conn'),
        port,
        desks,
        times,
        now: clock.now,
        after: timers.after,
        run: tasks.run,
        onFault,
        isStopping: () => stopping !== undefined,
        onEnd: (peer) => {
          connections.delete(connection);
          if (peer === undefined) return;
          peers.remove(peer);
          if (peer.kind !== 'proxy' || stopping !== undefined) return;
          controls.gone(peer);
          announcements.gone(peer);
          delivery.gone(peer);
        },
      });
      connections.add(connection);
      if (stopping !== undefined) connection.end(CLOSE_CODES.stopping, 'the relay stops');
      return connection;
    },
    dismiss: (device_id) => {
      for (const connection of [...connections]) {
        if (connection.identity?.device_id === device_id) connection.end(CLOSE_CODES.unauthorized, 'revoked');
      }
    },
    stop: () => {
      stopping ??= Promise.resolve().then(stop);
      return stopping;
    },
  };
}
