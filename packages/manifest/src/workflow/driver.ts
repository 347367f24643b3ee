import { delay } from '@drawbridge/base';
import { BridgeError } from '@drawbridge/protocol';
import { evaluateSlot, fillTemplate } from '../expression/template.ts';
import { type Advance, advance, type Outcome } from './advance.ts';
import { failure, failureOf, toError } from './failure.ts';
import { type Effect, nextEffect } from './next-effect.ts';
import { given, resumed } from './page-change.ts';
import { stepOf, type WorkflowRun } from './run.ts';
import { scopeOf } from './scope.ts';
import { type Stop, watchStop } from './stop.ts';
import { presentable } from './trace.ts';
import { isReadOnly, PageLeft, type WorkflowHost } from './workflow-host.ts';

export type RunResult =
  | { readonly status: 'done'; readonly output: unknown; readonly run: WorkflowRun }
  /** Store the run, and continue it when the same `runtime_key` reports ready again. */
  | { readonly status: 'waiting_for_page'; readonly run: WorkflowRun }
  | { readonly status: 'failed'; readonly error: BridgeError; readonly run: WorkflowRun };

/** Drives a run until it ends or waits. Never throws for errors of a workflow or a page. */
export async function continueRun(stored: WorkflowRun, host: WorkflowHost): Promise<RunResult> {
  if (
    host.runtimeKey !== undefined &&
    stored.runtime_key !== undefined &&
    host.runtimeKey !== stored.runtime_key
  ) {
    throw new BridgeError('state_mismatch', 'This run belongs to another page.', {
      evidence: { runtime_key: stored.runtime_key },
    });
  }
  const { clock, signal } = host;
  const remainingMs = stored.timeout_ms && stored.started_at + stored.timeout_ms - clock.now();
  const stop = watchStop({ clock, signal, remainingMs });
  try {
    const run = traced(resumed(stored, host.isReadOnly ?? isReadOnly, clock.now()), host);
    return await drive(run, host, stop);
  } finally {
    stop.release();
  }
}

async function drive(from: WorkflowRun, host: WorkflowHost, stop: Stop): Promise<RunResult> {
  let run = from;
  for (;;) {
    const effect = nextEffect(run);
    if (effect.kind === 'nothing') return finalResult(run);
    if (stop.reason() !== undefined) return stoppedResult(run, host, stop);
    if (effect.kind === 'primitive') {
      run = given(run, host.clock.now());
      await host.save?.(run);
    }
    const outcome = await Promise.race([perform(effect, run, host, stop), stop.stopped]);
    if (outcome === undefined) return stoppedResult(run, host, stop);
    if (outcome instanceof PageLeft && outcome.output === undefined)
      return { status: 'waiting_for_page', run };
    const left = outcome instanceof PageLeft;
    const known: Outcome = left ? { ok: true, value: outcome.output, navigated: true } : outcome;
    run = traced(advance(run, known, host.clock.now()), host);
    if (effect.kind === 'primitive') await host.save?.(run);
    if (left && run.phase.kind !== 'failed') return { status: 'waiting_for_page', run };
  }
}

async function perform(
  effect: Effect,
  run: WorkflowRun,
  host: WorkflowHost,
  stop: Stop,
): Promise<Outcome | PageLeft> {
  try {
    const value = await answerTo(effect, run, host, stop);
    return value instanceof PageLeft ? value : { ok: true, value };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

async function answerTo(effect: Effect, run: WorkflowRun, host: WorkflowHost, stop: Stop): Promise<unknown> {
  const { evaluator, clock } = host;
  const scope = () => scopeOf(run);
  const limits = { maxOutputBytes: run.limits.maxExpressionBytes };
  switch (effect.kind) {
    case 'evaluate':
      return evaluateSlot(effect.slot, scope, evaluator, limits);
    case 'fill':
      return fillTemplate(effect.template, scope, evaluator, limits);
    case 'primitive':
      return host.runPrimitive(effect.name, effect.args, stop.signal);
    case 'sleep':
      return delay(clock, effect.ms, stop.signal);
    case 'check_postcondition':
      return checkPostcondition(effect.output, run, host);
    case 'nothing':
      return undefined;
  }
}

async function checkPostcondition(output: unknown, run: WorkflowRun, host: WorkflowHost): Promise<void> {
  if (host.checkPostcondition === undefined) {
    if (run.plan.postcondition === undefined) return;
    throw new BridgeError(
      'capability_unavailable',
      'This host cannot check the postcondition of a workflow.',
    );
  }
  const { input, steps } = scopeOf(run);
  await host.checkPostcondition(run.plan.postcondition, { input, steps, output });
}

function traced({ run, traced: entry }: Advance, host: WorkflowHost): WorkflowRun {
  if (entry === undefined) return run;
  return { ...run, trace: [...run.trace, presentable(entry, run.limits.maxTraceBytes, host.redact)] };
}

function finalResult(run: WorkflowRun): RunResult {
  if (run.phase.kind === 'done') return { status: 'done', output: run.phase.output, run };
  const why = run.phase.kind === 'failed' ? run.phase.failure : failure('invalid_workflow', 'No such step.');
  return { status: 'failed', error: toError(why), run };
}

/** A primitive that is already running may still take effect; only later steps are sure not to run. */
function stoppedResult(run: WorkflowRun, host: WorkflowHost, stop: Stop): RunResult {
  const elapsed = host.clock.now() - run.started_at;
  const step = stepOf(run)?.id;
  const evidence = { elapsed_ms: elapsed, step, step_index: run.finished.length };
  const where = step === undefined ? 'after its last step' : `in step "${step}"`;
  const why =
    stop.reason() === 'timeout'
      ? failure(
          'handler_timeout',
          `The workflow ran out of time after ${elapsed} ms, ${where}. Look at the page before you call again, or give it more timeout_ms.`,
          {
            evidence,
          },
        )
      : failure('cancelled', `The workflow was cancelled after ${elapsed} ms, ${where}.`, { evidence });
  return { status: 'failed', error: toError(why), run: { ...run, phase: { kind: 'failed', failure: why } } };
}
