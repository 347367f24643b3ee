import { LIMITS } from '@drawbridge/protocol';
import { complaintOf } from './step-record.ts';
import type { BegunAct, LastAct } from './task-event.ts';
import type { ActError, Acted } from './task-page.ts';

/** Not done, or unknown: not reported as a failure, which would keep the decider from it (INT-91). */
export const pendingAct = (previousUrl: string, message: string): LastAct => ({
  previousUrl,
  lastActionStatus: 'pending',
  verification_message: message,
});

export const doubt = (action: string, why: string): string =>
  `It is not known whether ${action} was done: ${why}`;

export function lastOfUndone(
  begun: BegunAct,
  { error, indeterminate }: Extract<Acted, { ok: false }>,
): LastAct {
  const { before, action } = begun;
  if (indeterminate) return pendingAct(before.url, doubt(action, error.message));
  return {
    previousUrl: before.url,
    lastActionStatus: 'failure',
    lastActionError: errorOf(begun, error),
    lastActionResult: { success: false, actualState: error.message },
  };
}

export function lastOfDone(begun: BegunAct, { effect }: Extract<Acted, { ok: true }>, now: number): LastAct {
  const { didUrlChange, didDomMutate, didNetworkOccur, expected, passed } = effect;
  const complaint = complaintOf(effect);
  return {
    previousUrl: begun.before.url,
    lastActionStatus: complaint === undefined ? 'success' : 'failure',
    ...(complaint && { lastActionError: errorOf(begun, complaint) }),
    lastActionResult: { success: complaint === undefined, actualState: effect.answer ?? effect.message },
    clientObservations: {
      didUrlChange,
      ...(didDomMutate !== undefined && { didDomMutate }),
      ...(didNetworkOccur !== undefined && { didNetworkOccur }),
    },
    ...(expected && {
      clientVerification: {
        elementFound: expected.found,
        selector: expected.selector,
        urlChanged: didUrlChange,
        timestamp: now,
      },
    }),
    verification_passed: passed,
    verification_message: effect.message,
    errors_detected: effect.errors,
    success_messages: effect.successes,
  };
}

const errorOf = ({ action, elementId }: BegunAct, { code, message }: ActError) => ({
  code,
  message: message.slice(0, LIMITS.label.value),
  action: action.slice(0, LIMITS.label.value),
  ...(elementId !== undefined && { elementId }),
});
