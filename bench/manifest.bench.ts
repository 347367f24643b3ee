import { benchStateDiffs } from './manifest/diff.ts';
import { benchHostileExpressions } from './manifest/hostile-expressions.ts';
import { benchValidation } from './manifest/validation.ts';
import { benchWorkflowSteps } from './manifest/workflow-steps.ts';
import { benchmark } from './report.ts';

/** What maps cost: a workflow's step, an expression that will not stop, a large map, a long list that changed. */
const SECTIONS = [benchWorkflowSteps, benchHostileExpressions, benchValidation, benchStateDiffs];

await benchmark(async (report) => {
  for (const section of SECTIONS) report.add(...(await section()));
});
