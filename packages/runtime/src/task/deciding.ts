import type { InteractRequest } from '@drawbridge/protocol';
import { hashTree } from '@drawbridge/protocol/semantic';
import type { Perceived, Wanted } from './body.ts';
import { TaskFailure } from './control.ts';
import { type Decision, decisionOf } from './decision.ts';
import type { MindAnswer } from './mind.ts';
import { interactRequest } from './request.ts';
import type { TaskQuestion } from './task-event.ts';
import { hold, note, notePlan, patiently, perceive, type TaskRun, throwIfCancelled } from './task-run.ts';

export interface Decided {
  readonly decision: Exclude<Decision, { kind: 'ask' | 'question' }>;
  readonly seen: Perceived;
  /** Who was in the page, and what was said, when it was asked for. */
  readonly asOf: { readonly takeovers: number; readonly words: number };
}

/** A server asks for each artifact once (INT-101); one that never has enough is not humoured for ever. */
const MOST_ASKS = 4;

/** Looks and asks until there is something to do. */
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
      if (++asks > MOST_ASKS) throw new TaskFailure('The server asks for more of the page again and again.');
      ({ wanted } = decision);
      first ??= seen;
      continue;
    }
    note(run, { last: undefined });
    if (decision.kind !== 'question') return { decision, seen, asOf };
    await answered(run, decision.question);
    wanted = {};
    first = undefined;
  }
}

/** INT-103: the call is the same; what had flashed up before it was asked again is still part of it. */
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

async function interact(run: TaskRun, seen: Perceived, asks: number): Promise<MindAnswer> {
  const { task, mind, control, memory } = run;
  const { taskId, sessionId = task.sessionId, last, step, heard } = memory.checkpoint;
  // What is said before the first call would be taken for the task: it comes with the second, before any act.
  const words = memory.hasAsked ? control.words().slice(memory.heardHere) : [];
  const query = words.length > 0 ? words.join('\n') : task.query;
  const request = interactRequest({ task, seen, query, taskId, sessionId, last });
  const key = [task.taskId, step, heard, asks, markOf(request)].join(':');
  const answer = await patiently(run, 'No answer on what to do next', () =>
    mind.interact(request, control.signal, key),
  );
  throwIfCancelled(run);
  memory.heardHere += words.length;
  memory.hasAsked = true;
  note(run, {
    heard: heard + words.length,
    taskId: answer.taskId ?? taskId,
    sessionId: answer.sessionId ?? sessionId,
  });
  notePlan(run, answer.plan);
  return answer;
}

/**
 * Tells calls of one step apart, and is the same when a process that was stopped asks again: then the decision that
 * it did not live to hear is still its own (INT-75, INT-284). How long ago something happened is no difference.
 */
function markOf({ recentEvents: _, ...lasting }: InteractRequest): string {
  return hashTree([{ i: '', r: '', n: JSON.stringify(lasting) }]);
}

/** Until the person has said something. */
export async function answered(run: TaskRun, question: TaskQuestion): Promise<void> {
  const { control, memory, tell } = run;
  note(run, { question });
  await tell('task.pause', 'planner', question.text, { question });
  while (control.words().length <= memory.heardHere) {
    throwIfCancelled(run);
    await control.changed();
  }
  throwIfCancelled(run);
  note(run, { question: undefined });
  await tell('task.resume', 'user', control.words().slice(memory.heardHere).join('\n'));
}
