import { benchStateDiffs } from './manifest/diff.ts';
import { benchHostileExpressions } from './manifest/hostile-expressions.ts';
import { benchValidation } from './manifest/validation.ts';
import { benchWorkflowSteps } from './manifest/workflow-steps.ts';

/** Each section measures one thing, prints it, and says whether it keeps what it promises. */
const SECTIONS: readonly (() => boolean | Promise<boolean>)[] = [
  benchWorkflowSteps,
  benchHostileExpressions,
  benchValidation,
  benchStateDiffs,
];

let fine = true;
for (const section of SECTIONS) fine = (await section()) && fine;
process.exitCode = fine ? 0 : 1;
