import type { JsonObject } from '@drawbridge/ledger';
import { chatError } from './frames.ts';
import type { Peer } from './peer.ts';

export type SendOutcome =
  | { readonly state: 'delivered'; readonly when: string }
  | {
      readonly state: 'failed';
      readonly error: { readonly code: string; readonly message: string };
      readonly indeterminate?: true;
      readonly when?: string;
    };

type Failure = Extract<SendOutcome, { state: 'failed' }>;

const failure = (...error: Parameters<typeof chatError>): Failure => ({
  state: 'failed',
  error: chatError(...error),
});

/** The send may have reached the agent. */
const unknown = (message: string): Failure => ({
  ...failure('delivery_unknown', message),
  indeterminate: true,
});

export const FAILURES = {
  /** CHT-158, CHT-202 */
  away: failure('session_not_connected', 'The session is not connected. Send it again when it is.'),
  /** CHT-157 */
  expired: failure(
    'session_not_connected',
    'The session did not come back in time. Send it again when it has.',
  ),
  /** CHT-150 */
  injection: failure(
    'send_injection_failed',
    'The proxy could not put the message into the agent, and did not say why.',
  ),
  /** CHT-160 */
  lost: unknown('The proxy went away in the middle. Look at the agent before you send it again.'),
  silent: unknown('The proxy never reported. Look at the agent before you send it again.'),
} as const satisfies Record<string, Failure>;

/** The person's frame; its text if `JSON.stringify` would write another (CHT-376). */
export interface SendPayload {
  readonly payload: JsonObject;
  readonly payload_text?: string | undefined;
}

interface Numbered {
  readonly chars: number;
  readonly sequence: number;
  /** Number of forwards that the ledger has counted. */
  readonly attempt: number;
}

interface Waiting extends Numbered {
  /** The ledger is counting a forward, after which the send leaves. */
  readonly isLeaving: boolean;
  /** The send failed while it was leaving; settled when the forward is counted. */
  readonly failsWith: Failure | undefined;
}

/** A send without a stored outcome. `message_failed` with `delivery_unknown` is `failed` too. */
export type Send =
  | (SendPayload & {
      readonly state: 'accepting';
      readonly chars: number;
      /** After every accepted send. */
      readonly sequence: typeof Number.MAX_SAFE_INTEGER;
      /** The id of `message_accepted`: another node may accept the same send at the same time. */
      readonly event_id: string;
      /** The proxy to which the accepting transaction forwards the send, as attempt 1. */
      readonly carrier: Peer | undefined;
      /** The accepting transaction contains the failure. */
      readonly fails: boolean;
    })
  /** No proxy has received it. */
  | ({ readonly state: 'queued' } & Waiting)
  | ({ readonly state: 'in_flight'; readonly carrier: Peer } & Numbered)
  /** A proxy may have received it (CHT-300). */
  | ({ readonly state: 'in_doubt' } & Waiting)
  /** The outcome is being stored. */
  | ({ readonly state: 'delivered' | 'failed' } & Numbered)
  /** A person took it back. */
  | ({ readonly state: 'cancelled' } & Numbered);

export type WaitingSend = Extract<Send, { state: 'queued' | 'in_doubt' }>;
export type Accepting = Extract<Send, { state: 'accepting' }>;

export type SendEvent =
  /** `message_accepted` was dispatched. `mayGo`: nothing is queued before the send, and its carrier is there. */
  | {
      readonly type: 'accepted';
      readonly event_id: string;
      readonly sequence: number;
      readonly mayGo: boolean;
      readonly isClosed: boolean;
    }
  /** The send is next in the queue: the ledger counts the forward. */
  | { readonly type: 'leaving'; readonly to: Peer }
  | (SendPayload & {
      readonly type: 'counted';
      readonly attempt: number;
      readonly to: Peer;
      readonly mayGo: boolean;
      readonly isClosed: boolean;
    })
  /** The ledger failed to count the forward, or of another send of the batch; `attempt` if it counted this one. */
  | { readonly type: 'held_back'; readonly attempt?: number }
  | {
      readonly type: 'reported';
      readonly by: Peer;
      readonly attempt: number | undefined;
      readonly outcome: SendOutcome;
    }
  | { readonly type: 'timed_out' }
  | { readonly type: 'carrier_gone' }
  /** A proxy has announced the session again. */
  | { readonly type: 'proxy_back'; readonly proxy: Peer }
  /** CHT-202: the session's end is being stored; the next event when it is. */
  | { readonly type: 'session_closing' }
  | { readonly type: 'session_closed' }
  | { readonly type: 'expired' }
  /** CHT-158: it may not wait, and the proxy is away. */
  | { readonly type: 'away' }
  | { readonly type: 'settled'; readonly state: 'delivered' | 'failed' | 'cancelled' };

export type SendEffect =
  | (SendPayload & {
      readonly do: 'transmit';
      readonly to: Peer;
      readonly attempt: number;
    })
  /** CHT-154: the ledger refuses it for a send that is settled or was forwarded again. */
  | { readonly do: 'settle'; readonly outcome: SendOutcome; readonly attempt: number }
  /** Limits the time until its outcome (CHT-157, CHT-300). */
  | { readonly do: 'watch' };

type Step<After = Send> = readonly [send: After, effects: readonly SendEffect[]];

/** CHT-300: the proxy answers a repeated send from its own record. */
export const answersAgain = ({ features }: Pick<Peer, 'features'>): boolean => features.has('resend');

export const isWaiting = (send: Send): send is WaitingSend =>
  send.state === 'queued' || send.state === 'in_doubt';

/** CHT-349: a proxy may have received it, and its outcome is not known. */
export const isDoubted = (send: Send | undefined): boolean =>
  send?.state === 'in_doubt' || (send?.state === 'in_flight' && send.attempt > 1);

/** True while its outcome is being stored. */
export const isEnding = (send: Send): send is Extract<Send, { state: 'delivered' | 'failed' }> =>
  send.state === 'delivered' || send.state === 'failed';

/** A send that the ledger holds: counted as forwarded, it may have reached the agent before a crash. */
export const storedSend = ({ attempt, sequence, chars }: Numbered): WaitingSend => ({
  state: attempt > 0 ? 'in_doubt' : 'queued',
  ...{ attempt, sequence, chars, isLeaving: false, failsWith: undefined },
});

const settled = ({ chars, sequence }: Numbered, attempt: number, outcome: SendOutcome): Step => [
  { state: outcome.state, chars, sequence, attempt },
  [{ do: 'settle', outcome, attempt }],
];

/** A send that is leaving may be counted at this moment, and the outcome needs its number. */
const failed = (send: WaitingSend, outcome: Failure): Step =>
  send.isLeaving ? [{ ...send, failsWith: outcome }, []] : settled(send, send.attempt, outcome);

const inFlight = (
  send: Numbered,
  to: Peer,
  { payload, payload_text }: SendPayload,
  attempt: number,
): Step => [
  { state: 'in_flight', carrier: to, chars: send.chars, sequence: send.sequence, attempt },
  [{ do: 'transmit', to, payload, payload_text, attempt }],
];

const inDoubt = ({ chars, sequence, attempt }: Numbered): Step => [
  storedSend({ chars, sequence, attempt }),
  [{ do: 'watch' }],
];

/** The next state of a send and what to do about it. Pure; undefined before this node knows the send. */
export function stepSend(send: Send | undefined, event: SendEvent): Step<Send | undefined> | undefined {
  if (event.type === 'accepted') return accepted(send, event);
  if (event.type === 'reported') return reported(send, event);
  if (send === undefined || send.state === 'accepting') return undefined;
  if (event.type === 'settled') return [{ ...send, state: event.state }, []];
  if (send.state === 'in_flight') return stepInFlight(send, event);
  return isWaiting(send) ? stepWaiting(send, event) : undefined;
}

function accepted(send: Send | undefined, event: Extract<SendEvent, { type: 'accepted' }>): Step | undefined {
  if (send !== undefined && send.state !== 'accepting') return undefined;
  const { sequence, isClosed } = event;
  const own = send?.event_id === event.event_id ? send : undefined;
  const attempt = own?.carrier === undefined ? 0 : 1;
  const now = { chars: send?.chars ?? 0, sequence, attempt };
  if (own?.fails === true) return [{ ...now, state: 'failed' }, []];
  if (isClosed) return settled(now, attempt, FAILURES.away);
  if (own?.carrier !== undefined && event.mayGo) return inFlight(now, own.carrier, own, attempt);
  return [{ ...now, state: 'queued', isLeaving: false, failsWith: undefined }, [{ do: 'watch' }]];
}

/** CHT-301: a late result counts, unless the ledger has a later attempt or an outcome. */
function reported(
  send: Send | undefined,
  { by, attempt, outcome }: Extract<SendEvent, { type: 'reported' }>,
): Step<Send | undefined> | undefined {
  if (send?.state === 'in_flight')
    return (attempt ?? send.attempt) === send.attempt ? settled(send, send.attempt, outcome) : undefined;
  const isLate = attempt !== undefined && answersAgain(by);
  return isLate ? [send, [{ do: 'settle', outcome, attempt }]] : undefined;
}

function stepInFlight(send: Extract<Send, { state: 'in_flight' }>, { type }: SendEvent): Step | undefined {
  switch (type) {
    case 'timed_out':
      return answersAgain(send.carrier) ? inDoubt(send) : settled(send, send.attempt, FAILURES.silent);
    case 'carrier_gone':
      return answersAgain(send.carrier) ? inDoubt(send) : settled(send, send.attempt, FAILURES.lost);
    case 'session_closing':
      return settled(send, send.attempt, FAILURES.lost);
    case 'expired':
      // The first attempt may still be answered in its own time.
      return send.attempt < 2 ? undefined : settled(send, send.attempt, FAILURES.lost);
    default:
      return undefined;
  }
}

function stepWaiting(send: WaitingSend, event: SendEvent): Step | undefined {
  const isNew = send.state === 'queued';
  switch (event.type) {
    case 'leaving':
      return isNew || answersAgain(event.to)
        ? [{ ...send, isLeaving: true }, []]
        : failed(send, FAILURES.lost);
    case 'counted': {
      const { attempt, isClosed, mayGo, to } = event;
      const outcome = send.failsWith ?? (isClosed ? (isNew ? FAILURES.away : FAILURES.lost) : undefined);
      if (outcome !== undefined) return settled(send, attempt, outcome);
      if (mayGo) return inFlight(send, to, event, attempt);
      // Another connection has taken the session over and gets this send.
      return [{ ...send, attempt, isLeaving: false }, []];
    }
    case 'held_back': {
      const stays = { ...send, attempt: event.attempt ?? send.attempt, isLeaving: false };
      return send.failsWith === undefined ? [stays, []] : settled(stays, stays.attempt, send.failsWith);
    }
    case 'proxy_back':
      if (isNew) return undefined;
      return answersAgain(event.proxy) ? [send, [{ do: 'watch' }]] : failed(send, FAILURES.lost);
    case 'session_closed':
      return failed(send, isNew ? FAILURES.away : FAILURES.lost);
    case 'expired':
      return failed(send, isNew ? FAILURES.expired : FAILURES.lost);
    case 'away':
      return isNew ? failed(send, FAILURES.away) : undefined;
    default:
      return undefined;
  }
}
