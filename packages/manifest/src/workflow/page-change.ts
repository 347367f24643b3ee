import { type Advance, advance, type Outcome } from './advance.ts';
import type { Phase, WorkflowRun } from './run.ts';
import { stepOf } from './run.ts';

/** The run once its primitive is in the page's hands: from here on it is not known whether it happened. */
export function given(run: WorkflowRun, now: number): WorkflowRun {
  const phase = givenPhase(run.phase, now);
  return phase === run.phase ? run : { ...run, phase };
}

function givenPhase(phase: Phase, now: number): Phase {
  switch (phase.kind) {
    case 'act':
      return { kind: 'acting', args: phase.args, since: now };
    case 'after_each':
      return { kind: 'after_each_acting', args: phase.args, since: now };
    case 'settle':
      return { kind: 'settling', args: phase.args, since: now };
    default:
      return phase;
  }
}

/**
 * A stored run that is taken up again. A primitive that the old page was given and never answered is not
 * given to the new one: the page left because of it. Only looking is harmless, and is done again.
 */
export function resumed(run: WorkflowRun, onlyLooks: (primitive: string) => boolean, now: number): Advance {
  const { phase } = run;
  switch (phase.kind) {
    case 'acting':
      if (!onlyLooks(stepOf(run)?.primitive ?? '')) return advance(run, LEFT, now);
      return { run: { ...run, phase: { kind: 'act', args: phase.args } } };
    case 'after_each_acting':
      return advance(run, LEFT, now);
    case 'settling':
      return { run: { ...run, phase: { kind: 'settle', args: phase.args } } };
    default:
      return { run };
  }
}

const LEFT: Outcome = { ok: true, value: undefined, navigated: true };
