import { benchStateDiffs } from './manifest/diff.ts';
import { benchHostileExpressions } from './manifest/hostile-expressions.ts';
import { benchValidation } from './manifest/validation.ts';
import { benchWorkflowSteps } from './manifest/workflow-steps.ts';
import { benchmark } from './report.ts';

/** Cost of maps: a workflow step, an endless expression, a large map, a changed long list. */
const SECTIONS = [benchWorkflowSteps, benchHostileExpressions, benchValidation, benchStateDiffs];

await benchmark(async (report) => {
  for (const section of SECTIONS) report.add(...(await section()));
});
