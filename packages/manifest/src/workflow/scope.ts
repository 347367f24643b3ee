import type { ItemRecord, StepRecord, WorkflowRun } from './run.ts';
import { stepOf } from './run.ts';

/** Variables of expressions: `input`, `steps`, and within a loop `item` and `index`. */
export function scopeOf(run: WorkflowRun): Readonly<Record<string, unknown>> {
  const { input, current } = run;
  const index = current.results.length;
  const inLoop = current.loop !== undefined && index < current.loop.items.length;
  return {
    input,
    steps: Object.fromEntries(readableSteps(run)),
    ...(inLoop && { item: current.loop?.items[index], index }),
  };
}

/** While a step repeats, `retry_until` reads its last attempt under its id. */
function* readableSteps(run: WorkflowRun): Iterable<[string, unknown]> {
  for (const [at, record] of run.finished.entries()) {
    const id = run.plan.steps[at]?.id;
    if (id !== undefined) yield [id, readable(record)];
  }
  const id = stepOf(run)?.id;
  const attempt = run.current.attempts.at(-1);
  if (id !== undefined && attempt !== undefined) yield [id, attempt];
}

/** A loop's output is the list of its items' outputs. */
function readable(record: StepRecord): StepRecord {
  if (record.items === undefined) return record;
  return { ...record, output: record.items.map(({ output }: ItemRecord) => output ?? null) };
}

export function resultsOf(run: WorkflowRun): Readonly<Record<string, unknown>> {
  return { steps: Object.fromEntries(readableSteps(run)) };
}
