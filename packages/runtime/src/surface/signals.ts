import {
  chooseSignal,
  NO_SIGNALS_YET,
  receiveEvent,
  receiveNamed,
  type SignalAnswer,
  type SignalState,
  toDomEvent,
} from '@drawbridge/manifest';
import type { SignalEvent } from '@drawbridge/page';
import { type ActionError, BridgeError, type DomEvent } from '@drawbridge/protocol';
import type { Signal } from '@drawbridge/protocol/manifest';
import { errorItem } from '../call/answer-call.ts';

export interface SignalContext {
  readonly runtimeId: string;
  readonly newId: () => string;
  readonly now: () => number;
  readonly location: () => { readonly url: string; readonly states: ReadonlySet<string> };
  /** The currently acting call. */
  readonly actingCall: () => string | undefined;
  readonly send: (item: DomEvent | ActionError) => void;
}

/** Passes events that the map declares, that a person has not turned off, and that fit their schema. */
export type Signals = ReturnType<typeof createSignals>;

export function createSignals(context: SignalContext) {
  const { runtimeId, newId, now, location, actingCall, send } = context;
  let signals: readonly Signal[] = [];
  let state: SignalState = NO_SIGNALS_YET;

  const take = (answer: SignalAnswer): void => {
    state = answer.state;
    for (const outcome of answer.outcomes) {
      if (outcome.type === 'forward') {
        const item = toDomEvent(outcome.signal, { eventId: newId(), runtimeId });
        const cause = actingCall();
        send(cause === undefined ? item : { ...item, previous_call_id: cause });
      } else if (outcome.reason === 'invalid_payload') send(unfit(outcome.name, outcome.message));
    }
  };
  const unfit = (name: string, message = 'does not fit its schema') =>
    errorItem(
      new BridgeError(
        'invalid_input',
        `The page sent the signal ${name} with a payload that ${message}: it was dropped. Compare the map with the page.`,
        { evidence: { signal: name } },
      ),
      { runtime_id: runtimeId },
    );

  return {
    start(next: readonly Signal[]): void {
      signals = next;
    },
    receive: (event: SignalEvent) =>
      take(receiveEvent(signals, state, event, { now: now(), place: location() })),
    /** Sends a signal of the runtime itself, for an attachment. */
    publish: (name: string, payload: unknown) =>
      take(receiveNamed(signals, state, name, payload, { now: now(), place: location() })),
    choose: (name: string, enabled: boolean): void => {
      state = chooseSignal(state, name, enabled);
    },
  };
}
