import type { ChatFrame } from '@drawbridge/protocol';
import type { Browser } from './browser.ts';
import type { Facts } from './facts.ts';
import type { FrameOf, LogEntry } from './peer.ts';
import { parseBroadcast, type Recorded, sessionIdOf, trustRecorded } from './view.ts';

/** CHT-272: the feature that an event needs, and its name for a peer without that. */
const PLAIN: Readonly<Record<string, readonly [feature: string, name: string]>> = {
  message_cancelled: ['queue', 'message_failed'],
  message_edited: ['queue', 'message_event'],
  permission_prompt_answered: ['prompt_answered', 'permission_prompt_expired'],
  agent_question: ['questions', 'session_status'],
};

function nameFor(features: readonly string[], type: string): string {
  const [feature, name] = PLAIN[type] ?? [];
  return feature === undefined || name === undefined || features.includes(feature) ? type : name;
}

interface ConnectionState {
  /** The sequence that the next live event of a session must have. */
  readonly next: Map<string, number>;
  readonly cursors: Map<string, number>;
  /** Resumed sessions whose delta or snapshot has not come yet. */
  readonly due: Map<string, 'delta' | 'snapshot'>;
  readonly asked: Map<string, number>;
  readonly sends: Map<string, number>;
}

const count = (of: Map<string, number>, key: string, by: number): number => {
  const sum = (of.get(key) ?? 0) + by;
  of.set(key, sum);
  return sum;
};

/**
 * Checks the received frames of one browser by connection: nothing missing, nothing twice, nothing too early.
 */
export function checkStream({ log, traits }: Browser, facts: Facts, stays: boolean): readonly string[] {
  const wrong: string[] = [];
  let state = fresh();
  const object = (entry: LogEntry, problem: string): void => {
    wrong.push(`${log.name} #${entry.connection} at ${entry.at}: ${problem}: ${JSON.stringify(entry.frame)}`);
  };

  const checkEvent = (entry: LogEntry, event: Recorded): void => {
    const session_id = sessionIdOf(event);
    const recorded = facts.sessions.get(session_id)?.events[event.sequence - 1];
    if (recorded === undefined || recorded.event_id !== event.event_id)
      object(entry, '[CHT-129] not what the ledger has there');
    else if (event.type !== nameFor(traits.features, recorded.type)) {
      object(entry, `[CHT-272] the ledger has a ${recorded.type}`);
    }
    const safe = facts.synced.get(event.event_id);
    if (safe === undefined || safe.order > entry.order)
      object(entry, '[CHT-137] received before it was synced');
  };

  /** CHT-143: an answer to a retry has its original sequence, and so is out of order. */
  const isOwnAcceptance = (event: Recorded): boolean =>
    event.type === 'message_accepted' &&
    (state.sends.get(`${event.session_id} ${event.client_message_id}`) ?? 0) > 0;

  const isRepeat = (event: Recorded): boolean => {
    if (event.type !== 'message_accepted' || !isOwnAcceptance(event)) return false;
    count(state.sends, `${event.session_id} ${event.client_message_id}`, -1);
    return true;
  };

  const onLive = (entry: LogEntry, event: Recorded): void => {
    const session_id = sessionIdOf(event);
    checkEvent(entry, event);
    const expected = state.next.get(session_id);
    // Before a session's first event it looks the same as a retry's answer.
    if (expected === undefined && !state.due.has(session_id) && isOwnAcceptance(event)) return;
    if (event.sequence === (expected ?? event.sequence) && !state.due.has(session_id)) {
      state.next.set(session_id, event.sequence + 1);
    } else if (!isRepeat(event)) {
      const rule = state.due.has(session_id) ? '[CHT-176] before what it missed' : '[CHT-130]';
      object(entry, `${rule} expected ${expected}`);
    }
  };

  const onDelta = (entry: LogEntry, frame: FrameOf<'history_delta'>): void => {
    const { session_id, from_sequence, last_sequence } = frame;
    const events = trustRecorded(frame.events);
    for (const event of events) checkEvent(entry, event);
    const whole = events.every((event, index) => event.sequence === from_sequence + index + 1);
    if (!whole || last_sequence !== from_sequence + events.length)
      object(entry, '[CHT-169] a gap in a delta');
    if (state.due.get(session_id) === 'delta') {
      if (from_sequence !== state.cursors.get(session_id)) object(entry, '[CHT-175] not from the cursor');
      state.due.delete(session_id);
      state.next.set(session_id, last_sequence + 1);
    } else if ((state.asked.get(session_id) ?? 0) > 0) count(state.asked, session_id, -1);
    // CHT-271: the next part of the missed events.
    else if (from_sequence + 1 === state.next.get(session_id)) state.next.set(session_id, last_sequence + 1);
    else object(entry, '[CHT-133] nobody asked for it');
  };

  const onSnapshot = (entry: LogEntry, frame: FrameOf<'history_snapshot'>): void => {
    const { session_id, last_sequence, messages } = frame;
    if (state.due.get(session_id) === 'snapshot') {
      state.due.delete(session_id);
      state.next.set(session_id, last_sequence + 1);
    }
    const events = facts.sessions.get(session_id)?.events ?? [];
    if (last_sequence > events.length) object(entry, '[CHT-167] ends after the ledger does');
    const ids = new Set(messages.map(({ message_id }) => message_id));
    if (ids.size !== messages.length) object(entry, '[CHT-165] a message twice');
  };

  const onOwn = (frame: ChatFrame): void => {
    if (frame.type === 'connection_hello') {
      state = fresh();
      for (const { session_id, last_sequence } of frame.resume?.sessions ?? []) {
        state.cursors.set(session_id, last_sequence);
      }
    }
    if (frame.type === 'send_message')
      count(state.sends, `${frame.session_id} ${frame.client_message_id}`, 1);
    if (frame.type === 'history_request' && frame.after_sequence !== undefined) {
      count(state.asked, frame.session_id, 1);
    }
  };

  for (const entry of log.entries) {
    const { frame } = entry;
    if (entry.direction === 'out') {
      onOwn(frame);
      continue;
    }
    const event = parseBroadcast(frame);
    if (event !== undefined) onLive(entry, event);
    else if (frame.type === 'history_delta') onDelta(entry, frame);
    else if (frame.type === 'history_snapshot') onSnapshot(entry, frame);
    else if (frame.type === 'connection_ack') {
      for (const { session_id, result } of frame.resumed ?? []) {
        state.due.set(session_id, result === 'ok' ? 'delta' : 'snapshot');
      }
    }
  }
  for (const [session_id, what] of stays ? state.due : []) {
    wrong.push(`${log.name}: [CHT-175] the ${what} of ${session_id} never came`);
  }
  return wrong;
}

function fresh(): ConnectionState {
  return { next: new Map(), cursors: new Map(), due: new Map(), asked: new Map(), sends: new Map() };
}
