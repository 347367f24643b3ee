import { perform, refuse, settleBegun } from './acting.ts';
import { TaskFailure } from './control.ts';
import { answered, decide } from './deciding.ts';
import type { TaskOutcome, TaskResume } from './task-event.ts';
import { createRun, type RunPorts, recordStep, type TaskRun, throwIfCancelled } from './task-run.ts';

export interface RunTaskOptions extends RunPorts {
  readonly resume?: TaskResume;
}

/**
 * Loops over perceive, interact, act and verify until the decider answers `finish()` or `fail()`, the steps
 * are used up, or a person cancels. Fails only when `onEvent` does: then it stops, and `resume` continues
 * from the stored state.
 */
export async function runTask({ resume, ...ports }: RunTaskOptions): Promise<TaskOutcome> {
  const run = createRun(ports, resume?.checkpoint ?? { step: 0, heard: 0 }, resume?.steps ?? []);
  const { control, memory, emit } = run;
  try {
    await begin(run, resume);
    return await steps(run);
  } catch (error) {
    if (memory.broken) throw error;
    const { aborted, reason } = control.signal;
    if (reason instanceof TaskFailure) return failed(run, reason.message);
    if (aborted) {
      const words = String(reason);
      if (memory.openStep !== undefined) await emit('step.cancel', 'user', words, { at: memory.openStep });
      await emit('task.cancel', 'user', words);
      return outcome(run, 'cancelled', words);
    }
    return failed(run, error instanceof Error ? error.message : String(error));
  }
}

async function begin(run: TaskRun, resume: TaskResume | undefined): Promise<void> {
  const { task, emit } = run;
  if (resume === undefined) return emit('task.start', 'system', task.query);
  await emit('task.resume', 'system', 'Goes on after a restart.');
  const { acting, question } = resume.checkpoint;
  if (acting !== undefined) await settleBegun(run, acting);
  if (question !== undefined) await answered(run, question);
}

async function steps(run: TaskRun): Promise<TaskOutcome> {
  const { task, memory, emit } = run;
  for (;;) {
    throwIfCancelled(run);
    // The last act is still judged: only finish() or fail() may follow it.
    const isOver = memory.checkpoint.step >= task.maxSteps;
    if (!isOver) await emit('step.start', 'navigator', 'Looks at the page and decides.');
    const decided = await decide(run);
    const { decision } = decided;
    if (decision.kind === 'finish') return finished(run, decision);
    if (decision.kind === 'fail')
      return failed(run, decision.words || 'The task cannot be done.', decision.result);
    if (isOver) throw new TaskFailure(`Not done after ${task.maxSteps} steps, which is all it may take.`);
    if (decision.kind === 'nonsense') await refuse(run, decision.action, decision.message, decided.seen);
    else if (decision.kind === 'act') await perform(run, decided, decision);
  }
}

async function finished(
  run: TaskRun,
  { words, result }: { readonly words: string; readonly result?: unknown },
): Promise<TaskOutcome> {
  const message = words || 'Done.';
  if (run.memory.openStep !== undefined) await run.emit('step.ok', 'navigator', message);
  await run.emit('task.ok', 'system', message);
  return outcome(run, 'completed', message, result);
}

async function failed(run: TaskRun, message: string, result?: unknown): Promise<TaskOutcome> {
  recordStep(run, { acting: undefined });
  const { openStep: at } = run.memory;
  if (at !== undefined) await run.emit('step.fail', 'navigator', message, { at });
  await run.emit('task.fail', 'system', message);
  return outcome(run, 'failed', message, result);
}

function outcome(
  { task, memory }: TaskRun,
  status: TaskOutcome['status'],
  message: string,
  result?: unknown,
): TaskOutcome {
  const start = memory.steps[0]?.before.url ?? '';
  return {
    status,
    message,
    ...(result !== undefined && { result }),
    trace: { trace: 1, query: task.query, start, steps: memory.steps },
  };
}
