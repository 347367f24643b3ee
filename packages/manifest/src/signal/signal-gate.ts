import type { Signal } from '@drawbridge/protocol/manifest';
import { describesElement, holdsAt, type PageLocation } from '../state/sighting.ts';
import { checkSchema } from '../validate/json-schema.ts';
import { jsonCopy } from './json-copy.ts';
import { admit, type Rate, type RateWindow } from './rate-window.ts';

/** A DOM event as the host received it. Untrusted: the page made it. */
export interface PageEvent {
  readonly event: string;
  readonly detail: unknown;
  /** Names of the signals whose target contains the event's element. */
  readonly from: readonly string[];
}

export interface ForwardedSignal {
  readonly name: string;
  readonly event?: string;
  readonly payload: unknown;
  readonly url: string;
  readonly observed_at: string;
  readonly trust: 'page';
}

export type DropReason =
  | 'undeclared'
  | 'wrong_direction'
  | 'disabled'
  | 'wrong_target'
  | 'rate_limited'
  | 'invalid_payload';

export type SignalOutcome =
  | { readonly type: 'forward'; readonly signal: ForwardedSignal }
  | { readonly type: 'drop'; readonly name: string; readonly reason: DropReason; readonly message?: string };

/** State of the gate. Plain data: the host stores it and passes it back. */
export interface SignalState {
  /** Signals that a person enabled or disabled, by name. */
  readonly choices: ReadonlyMap<string, boolean>;
  readonly windows: ReadonlyMap<string, RateWindow>;
  readonly dropped: ReadonlyMap<string, number>;
}

export interface SignalMoment {
  readonly now: number;
  readonly place: PageLocation;
  readonly rate?: Rate;
}

export interface SignalAnswer {
  readonly state: SignalState;
  readonly outcomes: readonly SignalOutcome[];
}

export const DEFAULT_SIGNAL_RATE: Rate = { max: 10, perMs: 1_000 };

export const NO_SIGNALS_YET: SignalState = { choices: new Map(), windows: new Map(), dropped: new Map() };

/** Only a person enables or disables a signal. */
export function chooseSignal(state: SignalState, name: string, enabled: boolean): SignalState {
  return { ...state, choices: new Map([...state.choices, [name, enabled]]) };
}

export function isEnabled(signal: Signal, state: SignalState): boolean {
  return state.choices.get(signal.name) ?? signal.ingestion === 'enabled';
}

/** Checks a page event against every signal that declares it. */
export function receiveEvent(
  signals: readonly Signal[],
  state: SignalState,
  event: PageEvent,
  moment: SignalMoment,
): SignalAnswer {
  const declared = signals.filter((signal) => signal.event === event.event);
  if (declared.length === 0) return drop(state, event.event, 'undeclared');
  let after = state;
  const outcomes: SignalOutcome[] = [];
  for (const signal of declared) {
    const answer = comesFromTarget(signal, event, moment.place)
      ? pass(signal, after, event.detail, moment)
      : drop(after, signal.name, 'wrong_target');
    after = answer.state;
    outcomes.push(...answer.outcomes);
  }
  return { state: after, outcomes };
}

/** Sends a signal for an attachment: no DOM event, otherwise the same rules. */
export function receiveNamed(
  signals: readonly Signal[],
  state: SignalState,
  name: string,
  payload: unknown,
  moment: SignalMoment,
): SignalAnswer {
  const signal = signals.find((one) => one.name === name);
  return signal === undefined ? drop(state, name, 'undeclared') : pass(signal, state, payload, moment);
}

function comesFromTarget({ name, target }: Signal, event: PageEvent, place: PageLocation): boolean {
  if (target === undefined) return true;
  return holdsAt(target, place) && (event.from.includes(name) || !describesElement(target));
}

/**
 * The rate is checked before the payload, so that a flood of invalid events costs no more than valid ones.
 */
function pass(signal: Signal, state: SignalState, detail: unknown, moment: SignalMoment): SignalAnswer {
  const { name } = signal;
  if (signal.direction === 'agent_to_html') return drop(state, name, 'wrong_direction');
  if (!isEnabled(signal, state)) return drop(state, name, 'disabled');
  const before = state.windows.get(name) ?? [];
  const { admitted, window } = admit(before, moment.now, moment.rate ?? DEFAULT_SIGNAL_RATE);
  const counted = { ...state, windows: new Map([...state.windows, [name, window]]) };
  if (!admitted) return drop(counted, name, 'rate_limited');
  const payload = jsonCopy(detail);
  if (payload === undefined) return drop(counted, name, 'invalid_payload', 'is not JSON, or too large');
  const fit = signal.payload === undefined ? undefined : checkSchema(signal.payload, payload);
  if (fit !== undefined && !fit.ok) {
    return drop(counted, name, 'invalid_payload', `${fit.path} ${fit.message}`.trim());
  }
  const forwarded: ForwardedSignal = {
    name,
    ...(signal.event === undefined ? {} : { event: signal.event }),
    payload,
    url: moment.place.url,
    observed_at: new Date(moment.now).toISOString(),
    trust: 'page',
  };
  return { state: counted, outcomes: [{ type: 'forward', signal: forwarded }] };
}

/** Undeclared names are not counted, because the page can invent them. */
function drop(state: SignalState, name: string, reason: DropReason, message?: string): SignalAnswer {
  const outcome: SignalOutcome = {
    type: 'drop',
    name,
    reason,
    ...(message === undefined ? {} : { message }),
  };
  if (reason === 'undeclared') return { state, outcomes: [outcome] };
  const dropped = new Map([...state.dropped, [name, (state.dropped.get(name) ?? 0) + 1]]);
  return { state: { ...state, dropped }, outcomes: [outcome] };
}
