import type { JsonObject, Write } from '@drawbridge/ledger';
import { type ChatFeature, DEVICE_LIMITS, LIMITS, type Session } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import { chatError, type FrameOf, frameText, timeText, trustStored } from './frames.ts';
import type { EventListener, Identity, OnEvents } from './ports.ts';
import type { Sends } from './sends.ts';
import { hasEnded, type LiveSession } from './sessions.ts';

type Shown = FrameOf<'scheduled_send_status'>['scheduled_send'];

/** The stored record; its content is dropped with the acceptance of the send. */
interface StoredJob extends JsonObject {
  readonly id: string;
  readonly session_id: string;
  readonly device_id: string;
  readonly client_message_id: string;
  readonly trigger_kind: 'at' | 'idle';
  readonly content: string;
  readonly deliver_at: string | null;
  readonly created_at: string;
  readonly state: 'pending' | 'dispatching';
}

interface Job {
  readonly stored: StoredJob;
  /** `moving`: a write that decides its next state is under way. */
  phase: 'pending' | 'moving' | 'dispatching';
  /** The session became idle. */
  wasIdle: boolean;
  /** The ledger may have accepted the send although its commit failed. */
  wasTried: boolean;
}

export interface WantedSend {
  readonly session_id: string;
  readonly content: string;
  readonly trigger_kind: 'at' | 'idle';
  readonly deliver_at?: string;
}

export type ScheduleRefusal = 'session_unknown' | 'too_many';

/** Sends that the relay accepts later (CHT-337 to CHT-341), on the leader. */
export type ScheduledSends = ReturnType<typeof createScheduledSends>;

const PREFIX = 'scheduled_send:';
const FEATURE: ChatFeature = 'scheduled_sends';
/** Begins the `client_message_id` of a scheduled send. */
export const SCHEDULED_MESSAGE = 'scheduled-send-';
const RETRY_MS = 1_000;
/** The wall clock may jump: a wait is never longer than this. */
const LOOK_AGAIN_MS = 15_000;
const MAX_JOBS = DEVICE_LIMITS.scheduled_sends.value;
export const MAX_SCHEDULED_CHARS = LIMITS.scheduled_send.value;

/** Listened to only while there is a job. */
const HEARD = [
  ...(['message_delivered', 'message_failed', 'message_cancelled'] as const),
  ...(['session_up', 'session_status', 'session_closed'] as const),
];

const isIdle = (shown: Session | undefined): boolean =>
  shown !== undefined && shown.status !== 'disconnected' && shown.activity?.kind === 'idle';

const CLOSED = chatError('session_unknown', 'The session was closed before the message was due.');
const REVOKED = chatError('unauthorized', 'The device that scheduled the message was revoked.');
const TAKEN = chatError('send_rejected', 'Another message has this client_message_id.');
const NOT_SENT = chatError('send_rejected', 'The message was not delivered. The conversation says why.');

export function createScheduledSends(context: CoreContext, sends: Pick<Sends, 'accept'>, onEvents: OnEvents) {
  const { ledger, sessions, peers, now } = context;
  const jobs = new Map<string, Job>();
  let stopTimer: (() => void) | undefined;
  let stopListening: (() => void) | undefined;

  const keyOf = (id: string): string => `${PREFIX}${id}`;
  const put = (stored: StoredJob): Write => ({ do: 'put_setting', key: keyOf(stored.id), value: stored });
  const drop = ({ id }: StoredJob): Write => ({ do: 'put_setting', key: keyOf(id), value: null });

  const shownAs = (stored: StoredJob, state: Shown['state'], error?: Shown['error']): Shown => {
    const { id, session_id, client_message_id, trigger_kind, content, deliver_at, created_at } = stored;
    return {
      ...{ id, session_id, client_message_id, trigger_kind, state, created_at },
      ...(state === 'pending' && { content }),
      ...(deliver_at !== null && { deliver_at }),
      ...(error && { error }),
    };
  };

  const announce = (stored: StoredJob, state: Shown['state'], error?: Shown['error']): Shown => {
    const shown = shownAs(stored, state, error);
    const to = { device_id: stored.device_id, client_id: null, connection_id: null };
    const text = frameText({ type: 'scheduled_send_status', scheduled_send: shown }, now());
    peers.send(to, text, FEATURE);
    if (peers.nodes.size > 0) context.clientMessages.sendFeature(to, text, FEATURE);
    return shown;
  };

  const forget = ({ stored }: Job): void => {
    jobs.delete(stored.id);
    if (jobs.size > 0) return;
    stopListening?.();
    stopListening = undefined;
  };

  const end = (job: Job, state: Shown['state'], error?: Shown['error']): Shown => {
    forget(job);
    return announce(job.stored, state, error);
  };

  /** Ends a job whose end needs no answer. */
  const settle = (job: Job, state: 'completed' | 'failed' | 'cancelled', error?: Shown['error']): void => {
    end(job, state, error);
    context.run(context.retryUntilStored(() => ledger.commit([drop(job.stored)])));
  };

  /** After a write that failed. The end of a session during that write settled only pending jobs. */
  const stay = (job: Job): void => {
    job.phase = 'pending';
    const { id, session_id } = job.stored;
    const session = sessions.get(session_id);
    if (jobs.get(id) === job && (session === undefined || hasEnded(session))) settle(job, 'failed', CLOSED);
  };

  const isDue = ({ stored, phase, wasIdle }: Job): boolean =>
    phase === 'pending' && (stored.deliver_at === null ? wasIdle : Date.parse(stored.deliver_at) <= now());

  /** CHT-339: one transaction accepts the send and moves the job, so that neither happens twice or alone. */
  const dispatch = async (job: Job, session: LiveSession): Promise<void> => {
    const { stored } = job;
    const { session_id, client_message_id, content, device_id } = stored;
    job.phase = 'moving';
    try {
      const device = await ledger.device(device_id);
      if (jobs.get(stored.id) !== job) return;
      if (device !== undefined && device.revoked_at !== null) return settle(job, 'failed', REVOKED);
      const sent = { session_id, client_message_id, content, created_at: timeText(now()) };
      const frame = { type: 'send_message', protocol_version: 1, ...sent } as const;
      const moved: StoredJob = { ...stored, content: '', state: 'dispatching' };
      const outcome = await sends.accept(device_id, frame, session, JSON.stringify(frame), [put(moved)]);
      // The outcome of the send may have come first.
      if (jobs.get(stored.id) !== job) return;
      if (outcome.committed || outcome.refusal.reason === 'message_repeated') {
        job.phase = 'dispatching';
        announce(stored, 'dispatching');
      } else settle(job, 'failed', outcome.refusal.reason === 'message_conflict' ? TAKEN : CLOSED);
    } catch (error) {
      context.onError(error);
      job.wasTried = true;
      stay(job);
      context.after(RETRY_MS, look);
    }
  };

  /** Offline sessions keep their jobs (CHT-338): the next `session_up` looks again. */
  const look = (): void => {
    for (const job of jobs.values()) {
      const session = isDue(job) ? sessions.get(job.stored.session_id) : undefined;
      if (session?.proxy !== undefined && !session.closed) context.run(dispatch(job, session));
    }
    stopTimer?.();
    const times = [...jobs.values()].flatMap(({ stored, phase }) =>
      phase === 'pending' && stored.deliver_at !== null ? [Date.parse(stored.deliver_at)] : [],
    );
    const soonest = Math.min(...times.filter((at) => at > now()));
    if (Number.isFinite(soonest)) stopTimer = context.after(Math.min(soonest - now(), LOOK_AGAIN_MS), look);
  };

  const ofSession = (session_id: string): readonly Job[] =>
    [...jobs.values()].filter(({ stored }) => stored.session_id === session_id);

  const hear: EventListener = ({ type, session_id, payload }, session, before) => {
    const mine = ofSession(session_id);
    if (mine.length === 0) return;
    if (type === 'message_delivered' || type === 'message_failed' || type === 'message_cancelled') {
      const job = mine.find(({ stored }) => stored.client_message_id === payload['client_message_id']);
      if (job === undefined) return;
      if (type === 'message_delivered') settle(job, 'completed');
      else if (type === 'message_cancelled') settle(job, 'cancelled');
      else settle(job, 'failed', trustStored<typeof NOT_SENT>(payload['error'] ?? NOT_SENT));
    } else if (type === 'session_closed') {
      for (const job of mine) if (job.phase === 'pending') settle(job, 'failed', CLOSED);
    } else if (type === 'session_status' || type === 'session_up') {
      if (isIdle(session?.shown) && !isIdle(before)) for (const job of mine) job.wasIdle = true;
      look();
    }
  };

  const take = (stored: StoredJob): Job => {
    const job: Job = { stored, phase: stored.state, wasIdle: false, wasTried: false };
    jobs.set(stored.id, job);
    stopListening ??= onEvents(HEARD, hear);
    return job;
  };

  const load = async (): Promise<void> => {
    for (const { value } of await ledger.settingsUnder(PREFIX)) {
      const stored = trustStored<StoredJob>(value);
      if (jobs.has(stored.id)) continue;
      const { session_id, client_message_id } = stored;
      const job = take(stored);
      if (stored.state === 'dispatching') {
        const message = await ledger.message(session_id, client_message_id);
        if (message?.state === 'accepted') continue;
        if (message?.state === 'delivered') settle(job, 'completed');
        else settle(job, 'failed', NOT_SENT);
      } else if (sessions.get(session_id)?.closed !== false) settle(job, 'failed', CLOSED);
    }
    look();
  };

  const jobsOf = (device_id: string): readonly Job[] =>
    [...jobs.values()].filter(({ stored }) => stored.device_id === device_id);

  return {
    schedule: async (
      { device_id }: Identity,
      { session_id, content, trigger_kind, deliver_at }: WantedSend,
    ): Promise<Shown | ScheduleRefusal> => {
      const session = sessions.get(session_id);
      if (session?.shown === undefined || session.closed) return 'session_unknown';
      if (jobsOf(device_id).length >= MAX_JOBS) return 'too_many';
      const id = context.id('later');
      const job = take({
        ...{ id, session_id, device_id, content, trigger_kind, state: 'pending' },
        client_message_id: SCHEDULED_MESSAGE + id,
        deliver_at: deliver_at ?? null,
        created_at: timeText(now()),
      });
      job.phase = 'moving';
      try {
        await ledger.commit([put(job.stored)]);
      } catch (error) {
        forget(job);
        // The ledger may have it although the commit failed.
        context.run(context.retryUntilStored(() => ledger.commit([drop(job.stored)])));
        throw error;
      }
      job.phase = 'pending';
      const shown = announce(job.stored, 'pending');
      if (session.closed) settle(job, 'failed', CLOSED);
      look();
      return shown;
    },
    list: (device_id: string, session_id?: string): readonly Shown[] =>
      jobsOf(device_id)
        .filter(({ stored }) => session_id === undefined || stored.session_id === session_id)
        .map(({ stored, phase }) => shownAs(stored, phase === 'dispatching' ? phase : 'pending')),
    /** Undefined for a job that is unknown; `dispatching` for one that has left. */
    cancel: async (device_id: string, id: string): Promise<Shown | 'dispatching' | undefined> => {
      const job = jobs.get(id);
      if (job === undefined || job.stored.device_id !== device_id) return undefined;
      if (job.phase !== 'pending') return 'dispatching';
      const { stored, wasTried } = job;
      job.phase = 'moving';
      try {
        const isSent =
          wasTried && (await ledger.message(stored.session_id, stored.client_message_id)) !== undefined;
        if (!isSent) await ledger.commit([drop(stored)]);
        // The send may have been settled in the meantime.
        if (jobs.get(id) !== job) return 'dispatching';
        job.phase = 'dispatching';
        return isSent ? 'dispatching' : end(job, 'cancelled');
      } catch (error) {
        stay(job);
        throw error;
      }
    },
    /** Cancels every pending job: somebody stopped everything. */
    cancelAll: (): void => {
      for (const job of [...jobs.values()]) if (job.phase === 'pending') settle(job, 'cancelled');
    },
    restore: (): Promise<void> => context.retryUntilStored(load),
  };
}
