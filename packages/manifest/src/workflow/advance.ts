import { isTrue } from '../expression/truth.ts';
import { failure } from './failure.ts';
import { SETTLE_PRIMITIVE } from './next-effect.ts';
import type { Args, Failure, ItemRecord, Phase, WorkflowRun } from './run.ts';
import { stepOf } from './run.ts';
import { failItem, failRun, failStep, finishItem, finishOutput, skipStep, startStep } from './step-end.ts';
import type { TraceEntry } from './trace.ts';

/** Result of an effect. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown; readonly navigated?: true }
  | { readonly ok: false; readonly failure: Failure };

/** A run after an outcome, and its trace entry. */
export interface Advance {
  readonly run: WorkflowRun;
  readonly traced?: TraceEntry;
}

/** The interpreter's transition function: pure, and total over every phase. */
export function advance(run: WorkflowRun, outcome: Outcome, now: number): Advance {
  const { phase } = run;
  switch (phase.kind) {
    case 'acting':
    case 'act':
      return acted(run, outcome, now);
    case 'after_each':
    case 'after_each_acting':
      // `after_each` only waits or scrolls, so the next attempt shows whether its failure matters.
      return { run: at(run, { kind: 'args' }), traced: entryOf(run, 'after_each', outcome, now) };
    case 'settle':
    case 'settling':
      return settled(run, outcome, now);
    case 'done':
    case 'failed':
      return { run };
    case 'postcondition':
      return { run: at(run, outcome.ok ? { kind: 'done', output: phase.output } : failed(outcome.failure)) };
    case 'output':
      return {
        run: outcome.ok ? finishOutput(run, outcome.value) : at(run, failed(outputFailed(outcome.failure))),
      };
    default:
      return outcome.ok ? evaluated(run, outcome.value, now) : couldNotEvaluate(run, outcome.failure, now);
  }
}

/** Handles the end of a phase that evaluates or sleeps. */
function evaluated(run: WorkflowRun, value: unknown, now: number): Advance {
  switch (run.phase.kind) {
    case 'when':
      if (!isTrue(value)) return { run: skipStep(run, now), traced: skippedEntry(run) };
      return { run: startStep(run, now, { afterWhen: true }) };
    case 'for_each':
      return { run: loop(run, value, now) };
    case 'args':
      return { run: at(run, { kind: 'act', args: asArgs(value) }) };
    case 'after_each_args':
      return { run: at(run, { kind: 'after_each', args: asArgs(value) }) };
    case 'settle_args':
      return { run: at(run, { kind: 'settle', args: asArgs(value) }) };
    case 'until':
      return isTrue(value) ? { run: settle(run, now) } : { run: tryAgain(run) };
    default:
      return { run: finishItem(run, now) };
  }
}

function couldNotEvaluate(run: WorkflowRun, why: Failure, now: number): Advance {
  const traced = entryOf(run, 'step', { ok: false, failure: why }, now);
  const ofWholeStep = run.phase.kind === 'when' || run.phase.kind === 'for_each';
  return { run: ofWholeStep ? failStep(run, why, now) : failItem(run, why, now), traced };
}

function loop(run: WorkflowRun, value: unknown, now: number): WorkflowRun {
  if (!Array.isArray(value)) return failStep(run, NO_LIST, now);
  const most = Math.min(stepOf(run)?.max_items ?? run.limits.maxItems, run.limits.maxItems);
  const items = value.slice(0, most);
  const current = { ...run.current, loop: { items, total: value.length } };
  const looping = { ...run, current };
  return items.length === 0 ? finishItem(looping, now) : at(looping, { kind: 'args' });
}

function acted(run: WorkflowRun, outcome: Outcome, now: number): Advance {
  const record = recordOf(outcome);
  const attempts = [...run.current.attempts, record];
  const traced = entryOf(run, 'step', outcome, now);
  const tried = { ...run, current: { ...run.current, attempts } };
  if (stepOf(run)?.retry_until === undefined) {
    return { run: outcome.ok ? settle(tried, now) : failItem(tried, outcome.failure, now), traced };
  }
  if (outcome.ok) return { run: at(tried, { kind: 'until' }), traced };
  // A failure that is not recoverable is not retried.
  const hopeless = !outcome.failure.recoverable;
  return { run: hopeless ? failItem(tried, outcome.failure, now) : tryAgain(tried), traced };
}

function tryAgain(run: WorkflowRun): WorkflowRun {
  const step = stepOf(run);
  const { attempts } = run.current;
  const most = Math.min(step?.max_attempts ?? 1, run.limits.maxItems);
  if (attempts.length >= most) return failRun(run, retryExhausted(attempts));
  return at(run, { kind: step?.after_each === undefined ? 'args' : 'after_each_args' });
}

function settle(run: WorkflowRun, now: number): WorkflowRun {
  const settling = stepOf(run)?.settle_after;
  if (settling === undefined) return finishItem(run, now);
  if (settling.delay_ms !== undefined) return at(run, { kind: 'delay', ms: settling.delay_ms });
  return at(run, { kind: 'settle_args' });
}

function settled(run: WorkflowRun, outcome: Outcome, now: number): Advance {
  const traced = entryOf(run, 'settle', outcome, now);
  const fatal = !outcome.ok && run.settle_timeout_is_fatal;
  return { run: fatal ? failItem(run, settleTimeout(outcome.failure), now) : finishItem(run, now), traced };
}

const at = (run: WorkflowRun, phase: Phase): WorkflowRun => ({ ...run, phase });

const failed = (why: Failure): Phase => ({ kind: 'failed', failure: why });

const asArgs = (value: unknown): Args => ({ ...(typeof value === 'object' && value !== null ? value : {}) });

function recordOf(outcome: Outcome): ItemRecord {
  if (!outcome.ok) return { ok: false, error: outcome.failure };
  const { value, navigated } = outcome;
  return { ok: true, ...(value !== undefined && { output: value }), ...(navigated && { navigated }) };
}

function entryOf(run: WorkflowRun, kind: TraceEntry['kind'], outcome: Outcome, now: number): TraceEntry {
  const step = stepOf(run);
  const { phase, current } = run;
  const primitive =
    kind === 'settle' ? SETTLE_PRIMITIVE : kind === 'step' ? step?.primitive : step?.after_each?.primitive;
  const { ok: _, error, ...answer } = recordOf(outcome);
  return {
    step: step?.id ?? '',
    kind,
    ...(primitive !== undefined && { primitive }),
    ms: 'since' in phase ? now - phase.since : 0,
    ...('args' in phase && { args: phase.args }),
    ...answer,
    ...(error !== undefined && { error }),
    ...(current.loop !== undefined && { item: current.results.length }),
    ...(step?.retry_until !== undefined && kind === 'step' && { attempt: current.attempts.length + 1 }),
  };
}

const skippedEntry = (run: WorkflowRun): TraceEntry => {
  const step = stepOf(run);
  return { step: step?.id ?? '', kind: 'step', primitive: step?.primitive ?? '', ms: 0, skipped: true };
};

const NO_LIST = failure(
  'workflow_loop_input_invalid',
  'for_each did not give a list. A path with one match gives the match itself: end it with [] to keep a list.',
);

function retryExhausted(attempts: readonly ItemRecord[]): Failure {
  const last = attempts.at(-1)?.error;
  return failure('workflow_retry_exhausted', `retry_until did not hold after ${attempts.length} attempts.`, {
    evidence: { attempts: attempts.length, ...(last !== undefined && { last_error: last }) },
  });
}

const settleTimeout = (why: Failure): Failure =>
  failure('workflow_settle_timeout', `The page did not settle after the step: ${why.message}`, {
    evidence: { error: why },
  });

const outputFailed = (why: Failure): Failure =>
  failure('workflow_output_failed', `The output of the workflow could not be made: ${why.message}`, {
    recoverable: why.recoverable,
    evidence: { error: why },
  });
