import { ExecutionStep } from '@drawbridge/protocol/manifest';
import { adviceForOther } from '@drawbridge/protocol/primitives';
import type { CheckContext } from './check-context.ts';
import type { Findings } from './finding.ts';
import { checkInherited, checkUnique } from './names.ts';
import { suggest } from './nearest.ts';
import { type Part, partOf, partsOf, textOf, textsOf } from './part.ts';
import { checkShape } from './shape.ts';

const MODES = ['steps_first', 'handler_first', 'documentary', 'test_only'];

export function* checkTools(context: CheckContext): Findings {
  for (const tool of partsOf(context.map, 'tools')) {
    yield* checkRequires(context, tool);
    const actions = partOf(tool, 'x_actions');
    if (!isExecutable(tool, actions)) yield notExecutable(tool, actions);
    const execution = actions && partOf(actions, 'execution');
    if (execution !== undefined) yield* checkExecution(execution);
  }
}

/** The name of a primitive, or of a primitive's capability. */
function* checkRequires({ primitives }: CheckContext, tool: Part): Findings {
  if (primitives === undefined || !('requires' in tool.value)) return;
  const known = [...primitives.values()].flatMap(({ name, capabilities = [] }) => [name, ...capabilities]);
  for (const { text, path } of textsOf(tool, 'requires')) {
    if (known.includes(text)) continue;
    const message = `names \`${text}\`, which the dictionary of primitives does not have: no host will offer it`;
    const advice = adviceForOther(text);
    const suggestion = advice === undefined ? suggest(text, known) : { suggestion: advice };
    yield { code: 'unknown_capability', path, message, ...suggestion };
  }
}

function isExecutable(tool: Part, actions: Part | undefined): boolean {
  if (actions?.value['direction'] === 'html_to_agent') return true;
  if ('workflow' in tool.value || typeof actions?.value['handler'] === 'string') return true;
  const steps = actions && partOf(actions, 'execution')?.value['steps'];
  return Array.isArray(steps) && steps.length > 0;
}

function notExecutable(tool: Part, actions: Part | undefined) {
  const constant = actions !== undefined && 'static_output' in actions.value;
  return {
    code: 'not_executable' as const,
    path: tool.path,
    message: constant
      ? 'only has a static output, which runs nothing: give it a workflow, or make it a context block'
      : 'can be called but says nothing about how it runs',
    expected: 'a workflow, an x_actions.handler or x_actions.execution.steps',
  };
}

function* checkExecution(execution: Part): Findings {
  const mode = textOf(execution, 'mode');
  if (mode !== undefined && !MODES.includes(mode)) {
    const message = `is \`${mode}\`, which Drawbridge does not run: calls will get capability_unavailable`;
    yield {
      code: 'unknown_mode',
      path: [...execution.path, 'mode'],
      message,
      expected: `one of ${MODES.join(', ')}`,
      ...suggest(mode, MODES),
    };
  }
  const steps = partsOf(execution, 'steps');
  for (const step of steps) {
    yield* checkShape(ExecutionStep, step.value, step.path);
    yield* checkInherited(step, 'id');
  }
  yield* checkUnique(steps, 'id', 'duplicate_step');
}
