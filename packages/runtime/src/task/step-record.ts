import type { BegunAct, StepDetails, StepRecord, TaskSpec } from './task-event.ts';
import type { ActEffect, ActError, Acted, PageLocation, Perceived } from './task-page.ts';

export const locationOf = ({ url, title }: Perceived): PageLocation => ({ url, title });

/** The facts of a step that are known at its start. */
export function bareRecord(index: number, begun: BegunAct): Omit<StepRecord, 'status'> {
  const { action, subject, thought, reasoning, before } = begun;
  return {
    index,
    action,
    ...(subject && { subject }),
    ...(thought !== undefined && { thought }),
    ...(reasoning !== undefined && { reasoning }),
    before,
    changes: [],
    events: [],
  };
}

export function recordOf(index: number, begun: BegunAct, acted: Acted): StepRecord {
  const plain = bareRecord(index, begun);
  if (!acted.ok) return { ...plain, status: acted.indeterminate ? 'unknown' : 'failed', error: acted.error };
  const { effect, after } = acted;
  const error = complaintOf(effect);
  return {
    ...plain,
    status: error === undefined ? 'ok' : 'failed',
    after,
    changes: effect.changes,
    events: effect.events,
    ...(error && { error }),
    ...(effect.healed && { healed: effect.healed }),
  };
}

/** The reason that a completed act counts as failed: a complaint of the page, or no effect (INT-246, INT-248). */
export function complaintOf({ happened, passed, errors, message }: ActEffect): ActError | undefined {
  if (errors.length > 0) return { code: 'page_error', message };
  // An unexpected outcome may still be progress: the decider judges (INT-92).
  return passed || happened ? undefined : { code: 'no_effect', message };
}

/** The step for a message. */
export function detailsOf(
  { taskId }: TaskSpec,
  record: Omit<StepRecord, 'status'> & { readonly status: StepDetails['status'] },
): StepDetails {
  const { index, action, status, subject, thought, reasoning, before, after, changes, events, error } =
    record;
  return {
    kind: 'step',
    task_id: taskId,
    index,
    action,
    status,
    ...(thought !== undefined && { thought }),
    ...(reasoning !== undefined && { reasoning }),
    ...(subject !== undefined && subject.name !== '' && { subject: subject.name }),
    before: { ...before },
    ...(after && { after: { ...after } }),
    changes: [...changes],
    events: [...events],
    ...(error && { error: { ...error } }),
  };
}
