import { adviceForOther } from '@drawbridge/protocol/primitives';
import { type CheckContext, checkExpressionSlot, checkSlot } from './check-context.ts';
import type { Findings } from './finding.ts';
import { checkInherited, checkUnique } from './names.ts';
import { suggest } from './nearest.ts';
import { type Part, partOf, partsOf, textOf, textsWithin } from './part.ts';
import { checkPostcondition } from './postcondition.ts';

export function* checkWorkflows(context: CheckContext): Findings {
  for (const tool of partsOf(context.map, 'tools')) {
    const workflow = partOf(tool, 'workflow');
    if (workflow !== undefined) yield* checkWorkflow(context, workflow);
  }
}

function* checkWorkflow(context: CheckContext, workflow: Part): Findings {
  const { maxSteps } = context.limits;
  const steps = partsOf(workflow, 'steps');
  if (steps.length > maxSteps) {
    const message = `has ${steps.length} steps; the limit is ${maxSteps}`;
    yield {
      code: 'too_many_steps',
      path: [...workflow.path, 'steps'],
      message,
      expected: `at most ${maxSteps} steps`,
    };
  }
  yield* checkUnique(steps, 'id', 'duplicate_step');
  for (const step of steps) yield* checkStep(context, step);
  yield* checkSlotsWithin(workflow, 'output');
  if ('postcondition' in workflow.value) yield* checkPostcondition(context, workflow);
}

function* checkStep(context: CheckContext, step: Part): Findings {
  yield* checkInherited(step, 'id');
  yield* checkPrimitive(context, step);
  yield* checkArguments(context, step);
  yield* checkSlotsWithin(step, 'args');
  yield* checkExpressionSlot(step.value['when'], [...step.path, 'when']);
  yield* checkBound(context, step, 'for_each', 'max_items');
  yield* checkBound(context, step, 'retry_until', 'max_attempts');
  yield* checkAfterEach(context, step);
  yield* checkSettle(step);
}

function* checkPrimitive({ primitives }: CheckContext, part: Part): Findings {
  const name = textOf(part, 'primitive');
  if (primitives === undefined || name === undefined) return;
  const path = [...part.path, 'primitive'];
  if (!primitives.has(name)) {
    const message = `is \`${name}\`, which the dictionary of primitives does not have`;
    const advice = adviceForOther(name);
    const suggestion = advice === undefined ? suggest(name, [...primitives.keys()]) : { suggestion: advice };
    yield { code: 'unknown_primitive', path, message, ...suggestion };
  } else if (primitives.get(name)?.capability_class === 'debug') {
    yield {
      code: 'debugger_primitive',
      path,
      message: `is \`${name}\`, which needs a debugger: a map may not use it`,
    };
  }
}

/** Names only: a value may be an expression. */
function* checkArguments({ argumentsOf }: CheckContext, step: Part): Findings {
  const name = textOf(step, 'primitive') ?? '';
  const known = argumentsOf(name);
  const args = partOf(step, 'args') ?? { value: {}, path: step.path };
  if (known === undefined || 'args' in step.value !== (args.path !== step.path)) return;
  const names = Object.keys(known.properties);
  const expected = `arguments of \`${name}\`: ${names.join(', ') || 'none'}`;
  for (const key of Object.keys(args.value)) {
    if (names.includes(key)) continue;
    const message = `has \`${key}\`, which is no argument of \`${name}\``;
    const path = [...args.path, key];
    yield { code: 'unknown_field', path, part: 'key', message, expected, ...suggest(key, names) };
  }
  for (const key of known.required ?? []) {
    if (key in args.value) continue;
    yield {
      code: 'missing_field',
      path: args.path,
      message: `lacks \`${key}\`, which \`${name}\` needs`,
      expected,
    };
  }
}

function* checkSlotsWithin(part: Part, key: string): Findings {
  for (const { text, path } of textsWithin(part.value[key], [...part.path, key]))
    yield* checkSlot(text, path);
}

/** A loop and its bound require each other, and the bound is within the runtime's limit. */
function* checkBound(context: CheckContext, step: Part, loop: string, bound: string): Findings {
  const limit = context.limits.maxLoopItems;
  const most = step.value[bound];
  yield* checkExpressionSlot(step.value[loop], [...step.path, loop]);
  if (loop in step.value && !(bound in step.value))
    yield {
      code: 'unbounded_loop',
      path: [...step.path, loop],
      part: 'key',
      message: `needs \`${bound}\` beside it`,
      expected: `\`${bound}\`: a whole number from 1 to ${limit}`,
    };
  if (bound in step.value && !(loop in step.value)) yield stray(step, bound, loop);
  if (typeof most === 'number' && most > limit)
    yield {
      code: 'limit_exceeded',
      path: [...step.path, bound],
      message: `is ${most}; the limit is ${limit}`,
      expected: `a whole number from 1 to ${limit}`,
    };
}

const stray = (part: Part, field: string, without: string) => ({
  code: 'stray_field' as const,
  path: [...part.path, field],
  part: 'key' as const,
  message: `does nothing without \`${without}\``,
  expected: `\`${without}\` beside it`,
});

function* checkAfterEach(context: CheckContext, step: Part): Findings {
  const afterEach = partOf(step, 'after_each');
  if (afterEach === undefined) return;
  if (!('retry_until' in step.value)) yield stray(step, 'after_each', 'retry_until');
  yield* checkPrimitive(context, afterEach);
  yield* checkArguments(context, afterEach);
  yield* checkSlotsWithin(afterEach, 'args');
}

function* checkSettle(step: Part): Findings {
  const settle = partOf(step, 'settle_after');
  if (settle === undefined) return;
  const choices = ['locator', 'delay_ms'].filter((key) => key in settle.value);
  if (choices.length !== 1) {
    const expected = 'exactly one of `locator` and `delay_ms`';
    yield {
      code: 'one_of_two',
      path: settle.path,
      part: 'key',
      message: `has ${choices.length === 2 ? 'both' : 'neither'}: it needs ${expected}`,
      expected,
    };
  }
  if (!('locator' in settle.value))
    for (const key of ['state', 'timeout_ms']) if (key in settle.value) yield stray(settle, key, 'locator');
  yield* checkSlotsWithin(settle, 'locator');
}
