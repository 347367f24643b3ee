import { SETTLE_TIMEOUT_MS } from './limits.ts';
import type { Args, WorkflowRun } from './run.ts';
import { stepOf } from './run.ts';

/** The next effect for the driver to run. */
export type Effect =
  | { readonly kind: 'fill'; readonly template: unknown }
  | { readonly kind: 'evaluate'; readonly slot: string }
  | { readonly kind: 'primitive'; readonly name: string; readonly args: Args }
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'check_postcondition'; readonly output: unknown }
  | { readonly kind: 'nothing' };

const NOTHING: Effect = { kind: 'nothing' };

export function nextEffect(run: WorkflowRun): Effect {
  const { phase, plan } = run;
  switch (phase.kind) {
    case 'output':
      return { kind: 'fill', template: plan.output };
    case 'postcondition':
      return { kind: 'check_postcondition', output: phase.output };
    case 'done':
    case 'failed':
      return NOTHING;
    default:
      return effectOfStep(run);
  }
}

function effectOfStep(run: WorkflowRun): Effect {
  const { phase } = run;
  const step = stepOf(run);
  if (step === undefined) return NOTHING;
  switch (phase.kind) {
    case 'when':
      return { kind: 'evaluate', slot: step.when ?? '' };
    case 'for_each':
      return { kind: 'evaluate', slot: step.for_each ?? '' };
    case 'until':
      return { kind: 'evaluate', slot: step.retry_until ?? '' };
    case 'args':
      return { kind: 'fill', template: step.args ?? {} };
    case 'after_each_args':
      return { kind: 'fill', template: step.after_each?.args ?? {} };
    case 'settle_args':
      return { kind: 'fill', template: settleArgs(step.settle_after ?? {}) };
    case 'act':
    case 'acting':
      return { kind: 'primitive', name: step.primitive, args: phase.args };
    case 'after_each':
    case 'after_each_acting':
      return { kind: 'primitive', name: step.after_each?.primitive ?? '', args: phase.args };
    case 'settle':
    case 'settling':
      return { kind: 'primitive', name: SETTLE_PRIMITIVE, args: phase.args };
    case 'delay':
      return { kind: 'sleep', ms: phase.ms };
    default:
      return NOTHING;
  }
}

export const SETTLE_PRIMITIVE = 'locator.wait_for';

interface Settle {
  readonly locator?: unknown;
  readonly state?: string;
  readonly timeout_ms?: number;
}

const settleArgs = ({ locator, state = 'visible', timeout_ms = SETTLE_TIMEOUT_MS }: Settle) => ({
  locator,
  state,
  timeout_ms,
});
