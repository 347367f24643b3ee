import type { InteractRequest } from '@drawbridge/protocol';
import { hashTree } from '@drawbridge/protocol/semantic';
import { TaskFailure } from './control.ts';
import type { DeciderAnswer } from './decider.ts';
import { type Decision, decisionOf } from './decision.ts';
import { interactRequest } from './request.ts';
import type { TaskQuestion } from './task-event.ts';
import type { Perceived, Wanted } from './task-page.ts';
import {
  hold,
  perceive,
  recordPlan,
  recordStep,
  retryStep,
  type TaskRun,
  throwIfCancelled,
} from './task-run.ts';

export interface Decided {
  readonly decision: Exclude<Decision, { kind: 'ask' | 'question' }>;
  readonly seen: Perceived;
  /** Number of takeovers and messages at the time of the request. */
  readonly asOf: { readonly takeovers: number; readonly words: number };
}

/** A server asks for each artifact once (INT-101); endless requests are cut off. */
const MOST_ASKS = 4;

/** Looks and asks the decider until there is an action. */
export async function decide(run: TaskRun): Promise<Decided> {
  let wanted: Wanted = {};
  let first: Perceived | undefined;
  for (let asks = 0; ; ) {
    await hold(run);
    const words = run.memory.hasAsked ? run.control.words().length : 0;
    const asOf = { takeovers: run.control.takeovers(), words };
    const seen = withEarlier(await perceive(run, wanted), first);
    const decision = decisionOf(await interact(run, seen, asks));
    if (decision.kind === 'ask') {
      if (++asks > MOST_ASKS) throw new TaskFailure('The server keeps asking for more of the page.');
      ({ wanted } = decision);
      first ??= seen;
      continue;
    }
    recordStep(run, { last: undefined });
    if (decision.kind !== 'question') return { decision, seen, asOf };
    await answered(run, decision.question);
    wanted = {};
    first = undefined;
  }
}

/** INT-103: the repeated call keeps events that appeared before the request. */
function withEarlier(seen: Perceived, first: Perceived | undefined): Perceived {
  const { recentEvents = [], hasErrors, hasSuccess } = first ?? {};
  if (recentEvents.length === 0 || (seen.recentEvents ?? []).length > 0) return seen;
  return {
    ...seen,
    recentEvents,
    ...(hasErrors !== undefined && { hasErrors }),
    ...(hasSuccess !== undefined && { hasSuccess }),
  };
}

async function interact(run: TaskRun, seen: Perceived, asks: number): Promise<DeciderAnswer> {
  const { task, decider, control, memory } = run;
  const { taskId, sessionId = task.sessionId, last, step, heard } = memory.checkpoint;
  // A message before the first call would be taken for the task: sent with the second call, before any
  // action.
  const words = memory.hasAsked ? control.words().slice(memory.receivedHere) : [];
  const query = words.length > 0 ? words.join('\n') : task.query;
  const request = interactRequest({ task, seen, query, taskId, sessionId, last });
  const key = [task.taskId, step, heard, asks, markOf(request)].join(':');
  const answer = await retryStep(run, 'No answer on what to do next', () =>
    decider.interact(request, control.signal, key),
  );
  throwIfCancelled(run);
  memory.receivedHere += words.length;
  memory.hasAsked = true;
  recordStep(run, {
    heard: heard + words.length,
    taskId: answer.taskId ?? taskId,
    sessionId: answer.sessionId ?? sessionId,
  });
  recordPlan(run, answer.plan);
  return answer;
}

/**
 * Distinguishes the calls of one step, and is equal when a restarted process asks again, so that it still
 * gets the unreceived decision (INT-75, INT-284). The age of events is ignored.
 */
function markOf({ recentEvents: _, ...lasting }: InteractRequest): string {
  return hashTree([{ i: '', r: '', n: JSON.stringify(lasting) }]);
}

/** Waits for the person's answer. */
export async function answered(run: TaskRun, question: TaskQuestion): Promise<void> {
  const { control, memory, emit } = run;
  recordStep(run, { question });
  await emit('task.pause', 'planner', question.text, { question });
  while (control.words().length <= memory.receivedHere) {
    throwIfCancelled(run);
    await control.changed();
  }
  throwIfCancelled(run);
  recordStep(run, { question: undefined });
  await emit('task.resume', 'user', control.words().slice(memory.receivedHere).join('\n'));
}
