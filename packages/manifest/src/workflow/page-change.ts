import { type Advance, advance, type Outcome } from './advance.ts';
import type { Phase, WorkflowRun } from './run.ts';
import { stepOf } from './run.ts';

/** The run after its primitive was sent to the page: from now on, its outcome is unknown until it answers. */
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
 * Resumes a stored run. A primitive that the old page never answered is not sent to the new one, because the
 * page left due to it. Only read-only primitives run again.
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
