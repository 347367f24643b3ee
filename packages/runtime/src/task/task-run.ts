import { type Clock, retry } from '@drawbridge/base';
import { BridgeError, type Plan, type TaskEvent } from '@drawbridge/protocol';
import { type TaskControl, TaskFailure } from './control.ts';
import type { TaskDecider } from './decider.ts';
import type { StepRecord, TaskCheckpoint, TaskSpec, TaskStepEvent } from './task-event.ts';
import type { Perceived, TaskPage, Wanted } from './task-page.ts';

export interface RunPorts {
  readonly task: TaskSpec;
  readonly page: TaskPage;
  readonly decider: TaskDecider;
  readonly clock: Clock;
  readonly control: TaskControl;
  /** Awaited before the task continues, so that the start of an act is stored before the act. */
  readonly onEvent: (event: TaskStepEvent) => void | Promise<void>;
}

/** A running task: its ports and state. */
export interface TaskRun extends RunPorts {
  readonly memory: Memory;
  readonly emit: EmitEvent;
}

export interface Memory {
  checkpoint: TaskCheckpoint;
  readonly steps: StepRecord[];
  /** How many of the control's messages the decider has received in this process. */
  receivedHere: number;
  /** The decider knows the task. */
  hasAsked: boolean;
  /** The latest plan, and whether it was sent. */
  plan?: Plan;
  isPlanNew: boolean;
  /** The step that was started and has not ended. */
  openStep: number | undefined;
  /** The caller failed to store an event: the task stops. */
  broken: boolean;
}

type EmitEvent = (
  state: TaskEvent['state'],
  actor: TaskEvent['actor'],
  details: string,
  more?: Omit<TaskStepEvent, 'event' | 'checkpoint'> & { readonly at?: number | undefined },
) => Promise<void>;

export function createRun(
  ports: RunPorts,
  checkpoint: TaskCheckpoint,
  steps: readonly StepRecord[],
): TaskRun {
  const { task, clock, onEvent } = ports;
  const memory: Memory = {
    checkpoint,
    steps: [...steps],
    receivedHere: 0,
    hasAsked: checkpoint.taskId !== undefined || checkpoint.step > 0 || checkpoint.question !== undefined,
    isPlanNew: false,
    openStep: undefined,
    broken: false,
  };
  const emit: EmitEvent = async (state, actor, details, { at, ...more } = {}) => {
    const step = Math.min(at ?? memory.checkpoint.step, task.maxSteps - 1);
    const data = { taskId: task.taskId, step, maxSteps: task.maxSteps, details };
    const event: TaskEvent = { actor, state, type: 'execution', timestamp: clock.now(), data };
    if (state.startsWith('step.')) memory.openStep = state === 'step.start' ? step : undefined;
    const { plan } = memory;
    const planned = memory.isPlanNew && plan !== undefined && { plan };
    memory.isPlanNew = false;
    try {
      await onEvent({ event, checkpoint: memory.checkpoint, ...planned, ...more });
    } catch (error) {
      memory.broken = true;
      throw error;
    }
  };
  return { ...ports, memory, emit };
}

/** Sets fields of the checkpoint; undefined removes one. */
export function recordStep(
  { memory }: TaskRun,
  fields: { readonly [Key in keyof TaskCheckpoint]?: TaskCheckpoint[Key] | undefined },
): void {
  const kept = Object.entries({ ...memory.checkpoint, ...fields }).filter(([, value]) => value !== undefined);
  memory.checkpoint = trustCheckpoint(Object.fromEntries(kept));
}

/** `step` and `heard` are never undefined. */
function trustCheckpoint(fields: unknown): TaskCheckpoint {
  return fields as TaskCheckpoint;
}

export function recordPlan({ memory }: TaskRun, plan: Plan | undefined): void {
  if (plan === undefined || JSON.stringify(plan) === JSON.stringify(memory.plan)) return;
  memory.plan = plan;
  memory.isPlanNew = true;
}

export function throwIfCancelled({ control }: TaskRun): void {
  control.signal.throwIfAborted();
}

/** Waits while a person holds the task, with events for pause and resume. */
export async function hold(run: TaskRun): Promise<void> {
  const { control, emit } = run;
  let told: string | undefined;
  for (;;) {
    throwIfCancelled(run);
    const state = control.state();
    if (state !== 'paused' && state !== 'taken_over') break;
    if (told === state) await control.changed();
    else await emit('task.pause', 'user', state === 'paused' ? 'Paused.' : 'A person has taken over.');
    told = state;
  }
  if (told !== undefined) await emit('task.resume', 'user', told === 'paused' ? 'Goes on.' : 'Handed back.');
}

const TRIES = 4;
const FIRST_WAIT_MS = 1_000;

/** Retries transient failures with backoff. */
export async function retryStep<Value>(
  run: TaskRun,
  what: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const { clock, control } = run;
  throwIfCancelled(run);
  try {
    return await retry(work, {
      clock,
      signal: control.signal,
      waitMs: (error, failed) => {
        const mayPass = !(error instanceof BridgeError) || error.recoverable;
        return mayPass && failed < TRIES ? FIRST_WAIT_MS * 2 ** (failed - 1) : undefined;
      },
    });
  } catch (error) {
    throwIfCancelled(run);
    const why = error instanceof Error ? error.message : String(error);
    throw new TaskFailure(`${what}: ${why}`, { cause: error });
  }
}

export const perceive = (run: TaskRun, wanted: Wanted): Promise<Perceived> =>
  retryStep(run, 'The page could not be looked at', () =>
    run.page.perceive({ query: run.task.query, ...wanted }, run.control.signal),
  );
