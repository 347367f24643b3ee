import { byteLength } from '../expression/byte-length.ts';
import { failure, failureOfStep } from './failure.ts';
import type { Failure, ItemRecord, Phase, StepRecord, WorkflowRun } from './run.ts';
import { stepOf } from './run.ts';
import { resultsOf } from './scope.ts';

/** The first phase of the current step, or the end of the run after the last step. */
export function startStep(run: WorkflowRun, now: number, { afterWhen = false } = {}): WorkflowRun {
  const step = stepOf(run);
  const current = { began_at: now, results: [], attempts: [] };
  if (step === undefined) return finishSteps({ ...run, current });
  if (step.when !== undefined && !afterWhen) return { ...run, current, phase: { kind: 'when' } };
  return { ...run, current, phase: { kind: step.for_each === undefined ? 'args' : 'for_each' } };
}

export const skipStep = (run: WorkflowRun, now: number): WorkflowRun =>
  finishStep(run, { ok: true, skipped: true }, now);

/** The last attempt is the item's result. */
export function finishItem(run: WorkflowRun, now: number): WorkflowRun {
  const { attempts } = run.current;
  const last = attempts.at(-1);
  const record = stepOf(run)?.retry_until === undefined ? last : { ok: true, ...last, attempts };
  return endItem(run, record, now);
}

/** In a loop with on_error continue the next item runs; otherwise the step fails. */
export function failItem(run: WorkflowRun, why: Failure, now: number): WorkflowRun {
  const continues = stepOf(run)?.on_error === 'continue' && run.current.loop !== undefined;
  return continues ? endItem(run, { ok: false, error: why }, now) : failStep(run, why, now);
}

function endItem(run: WorkflowRun, record: ItemRecord | undefined, now: number): WorkflowRun {
  const { loop, results } = run.current;
  if (loop === undefined) return finishStep(run, record ?? { ok: true }, now);
  const items = record === undefined ? results : [...results, record];
  if (items.length < loop.items.length) {
    return { ...run, current: { ...run.current, results: items, attempts: [] }, phase: { kind: 'args' } };
  }
  const total = loop.total > loop.items.length ? { total: loop.total } : {};
  return finishStep(run, { ok: items.every(({ ok }) => ok), items, ...total }, now);
}

export function failStep(run: WorkflowRun, why: Failure, now: number): WorkflowRun {
  if (stepOf(run)?.on_error !== 'continue') return failRun(run, why);
  const { loop, results } = run.current;
  const error = failureOfCurrent(run, why);
  return finishStep(run, { ok: false, error, ...(loop !== undefined && { items: results }) }, now);
}

/** Ends the run whatever `on_error` is. An exhausted `retry_until` is always fatal (MAN-167). */
export function failRun(run: WorkflowRun, why: Failure): WorkflowRun {
  return { ...run, phase: { kind: 'failed', failure: failureOfCurrent(run, why) } };
}

function failureOfCurrent(run: WorkflowRun, why: Failure): Failure {
  const step = stepOf(run);
  const { loop, results } = run.current;
  return step === undefined ? why : failureOfStep(step, why, loop && results.length);
}

function finishStep(run: WorkflowRun, record: StepRecord, now: number): WorkflowRun {
  return startStep({ ...run, finished: [...run.finished, record] }, now);
}

function finishSteps(run: WorkflowRun): WorkflowRun {
  return run.plan.output === undefined
    ? finishOutput(run, resultsOf(run))
    : { ...run, phase: { kind: 'output' } };
}

export function finishOutput(run: WorkflowRun, output: unknown): WorkflowRun {
  const { maxOutputBytes } = run.limits;
  const bytes = byteLength(JSON.stringify(output) ?? '');
  const phase = bytes > maxOutputBytes ? tooLarge(bytes, maxOutputBytes) : afterOutput(output);
  return { ...run, phase };
}

const afterOutput = (output: unknown): Phase => ({ kind: 'postcondition', output });

const tooLarge = (bytes: number, limit: number): Phase => ({
  kind: 'failed',
  failure: failure(
    'workflow_output_too_large',
    `The workflow gives ${bytes} bytes; the limit is ${limit}. Let its output select less.`,
    { evidence: { bytes, limit } },
  ),
});
