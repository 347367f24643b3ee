import { type Facts, type SessionFacts, trustEvent } from './facts.ts';
import { type Run, TIMES } from './simulation.ts';

const OUTCOMES: readonly string[] = ['message_delivered', 'message_failed', 'message_cancelled'];

/** Checks the final ledger: one of each, all of it settled, nothing done too early. */
export function checkLedger(run: Run, facts: Facts): readonly string[] {
  const wrong: string[] = [];
  if (facts.damage !== undefined) wrong.push(`[CHT-130] the chain is broken: ${facts.damage}`);
  for (const [session_id, session] of facts.sessions) {
    wrong.push(...checkSession(session).map((problem) => `${session_id}: ${problem}`));
    wrong.push(...checkTimes(run, facts, session).map((problem) => `${session_id}: ${problem}`));
  }
  for (const { session_id, prompt_id } of facts.answeringPrompts) {
    wrong.push(`[CHT-222] ${session_id} ${prompt_id} is being answered for ever`);
  }
  for (const { session_id, prompt_id, expires_at } of facts.openPrompts) {
    if (expires_at !== null) wrong.push(`[CHT-224] ${session_id} ${prompt_id} never runs out`);
    if (facts.sessions.get(session_id)?.record.closed_at !== null) {
      wrong.push(`[CHT-202] ${session_id} ${prompt_id} is open in a closed session`);
    }
  }
  for (const { request_id } of facts.pendingLaunches)
    wrong.push(`[CHT-186] ${request_id} is pending for ever`);
  return [...wrong, ...checkScheduled(run, facts)];
}

/** CHT-339: a confirmed scheduled send waits or was accepted, and never both or neither. */
function checkScheduled({ relay, context }: Run, facts: Facts): readonly string[] {
  return relay.log.scheduled.flatMap(({ session_id, client_message_id: id, deliver_at }) => {
    const session = facts.sessions.get(session_id);
    const isAccepted = session?.messages.has(id) === true;
    const isWaiting = facts.waitingToBeSent.has(id);
    const wasClosed = session?.events.some(({ type }) => type === 'session_closed') === true;
    if (isAccepted && isWaiting) return [`[CHT-339] ${id} was sent and still waits`];
    if (!isAccepted && !isWaiting && !wasClosed) return [`[CHT-339] ${id} is lost`];
    const isLate = deliver_at !== undefined && Date.parse(deliver_at) < context.wall() - LATE_MS;
    const isThere = session?.view.session?.status !== 'disconnected' && session?.view.closed === false;
    return isWaiting && isLate && isThere ? [`[CHT-338] ${id} is due and was not sent`] : [];
  });
}

/** The relay looks at its clock at least this often. */
const LATE_MS = 60_000;

function checkSession({ events, messages, view }: SessionFacts): readonly string[] {
  const wrong: string[] = [];
  const accepted = new Set<string>();
  const settled = new Set<string>();
  const said = new Map<string, number>();
  for (const [index, record] of events.entries()) {
    const event = trustEvent(record);
    if (event.sequence !== index + 1)
      wrong.push(`[CHT-130] event ${index + 1} has the sequence ${event.sequence}`);
    if (event.type === 'message_accepted') {
      const { client_message_id: id } = event;
      if (accepted.has(id)) wrong.push(`[CHT-142] ${id} was accepted twice`);
      accepted.add(id);
      if (messages.get(id)?.event_id !== event.event_id) wrong.push(`[CHT-143] ${id} has another acceptance`);
    } else if (OUTCOMES.includes(event.type) && 'client_message_id' in event) {
      const { client_message_id: id } = event;
      if (settled.has(id)) wrong.push(`[CHT-154] ${id} has two outcomes`);
      if (!accepted.has(id)) wrong.push(`[CHT-154] ${id} has an outcome before it was accepted`);
      settled.add(id);
    } else if (event.type === 'message_event' && event.message.role === 'user') {
      const text = event.message.content;
      said.set(text, (said.get(text) ?? 0) + 1);
    }
  }
  for (const [text, times] of said)
    if (times > 1) wrong.push(`[CHT-165] "${text}" stands there ${times} times`);
  for (const [id, { state }] of messages) {
    if (state === 'accepted') wrong.push(`[CHT-160] ${id} waits for ever`);
    if (view.deliveries.get(id) !== state)
      wrong.push(`[CHT-154] ${id} is ${state}, its events say otherwise`);
    if (!view.transcript.has(id)) wrong.push(`[CHT-165] ${id} does not stand in the transcript`);
  }
  return wrong;
}

/** CHT-114: a timeout on a monotonic clock never fires early; a restart may lose time. */
function checkTimes(run: Run, facts: Facts, { record, events }: SessionFacts): readonly string[] {
  const wrong: string[] = [];
  const begun = new Map<string, { readonly event_id: string; readonly after_ms: number }>();
  // CHT-202: the end of a session ends its queue, also when the disk refuses the write.
  const saidToBeClosed = run.proxies.some(({ log }) =>
    log.entries.some(
      ({ frame }) => frame.type === 'session_closed' && frame.session_id === record.session_id,
    ),
  );
  if (saidToBeClosed) return wrong;
  const answered = new Set(
    [...run.browsers, ...run.proxies].flatMap(({ log }) =>
      log.entries.flatMap(({ direction, frame }) =>
        direction === 'out' && ENDS_A_PROMPT.has(frame.type) && 'prompt_id' in frame ? [frame.prompt_id] : [],
      ),
    ),
  );
  const impatient = new Set(
    run.browsers.flatMap(({ log }) =>
      log.entries.flatMap(({ frame }) =>
        frame.type === 'send_message' && frame.queue === false ? [frame.client_message_id] : [],
      ),
    ),
  );
  const check = (key: string, event_id: string): void => {
    const start = begun.get(key);
    const from = start && facts.synced.get(start.event_id);
    const to = facts.synced.get(event_id);
    if (start === undefined || from === undefined || to === undefined) return;
    const restarted = run.relay.log.starts.some((order) => order > from.order && order < to.order);
    const waited = to.at - from.at;
    if (!restarted && waited < start.after_ms) {
      wrong.push(`[CHT-114] ${key} ran out after ${waited} ms of ${start.after_ms}`);
    }
  };
  for (const event of events.map(trustEvent)) {
    if (event.type === 'permission_prompt') {
      begun.set(event.prompt_id, {
        event_id: event.event_id,
        after_ms: event.timeout_ms ?? Number.POSITIVE_INFINITY,
      });
    } else if (event.type === 'permission_prompt_expired') {
      if (!answered.has(event.prompt_id)) check(event.prompt_id, event.event_id);
    } else if (event.type === 'message_accepted') {
      begun.set(event.client_message_id, {
        event_id: event.event_id,
        after_ms: TIMES.queue_ms - SLOW_DISK_MS,
      });
    } else if (event.type === 'message_failed' && event.error.code === 'session_not_connected') {
      if (!impatient.has(event.client_message_id)) check(event.client_message_id, event.event_id);
    }
  }
  return wrong;
}

/** A send's time runs from its receipt, which is some time before its sync. */
const SLOW_DISK_MS = 20_000;
const ENDS_A_PROMPT: ReadonlySet<string> = new Set(['permission_response', 'permission_prompt_withdrawn']);
