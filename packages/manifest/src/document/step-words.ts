import { isObject, type Tool, type WorkflowStep } from '@drawbridge/protocol/manifest';
import { modeOf } from '../validate/defaults.ts';
import { code, words } from './markdown.ts';
import { targetWords } from './target-words.ts';

/** Describes a tool's steps for the person who approves them. */
export function stepWords(tool: Tool): string[] {
  const { workflow, x_actions } = tool;
  if (workflow !== undefined) return workflow.steps.map(workflowStepWords);
  return (x_actions?.execution?.steps ?? []).map(({ type, target, value_from }) => {
    const locationText = isObject(target) ? ` at ${targetWords(target)}` : '';
    const value = typeof value_from === 'string' ? `, with the argument ${code(value_from)}` : '';
    return `${code(String(type))}${locationText}${value}`;
  });
}

function workflowStepWords(step: WorkflowStep): string {
  const {
    id,
    primitive,
    args = {},
    when,
    for_each,
    max_items,
    retry_until,
    max_attempts,
    after_each,
    settle_after,
    on_error,
  } = step;
  const parts = [
    `${code(primitive)} (${words(id)})`,
    Object.keys(args).length === 0 ? '' : `with ${code(JSON.stringify(args))}`,
    when === undefined ? '' : `only when ${code(when)}`,
    for_each === undefined ? '' : `for each of ${code(for_each)}, at most ${max_items}`,
    retry_until === undefined ? '' : `until ${code(retry_until)}, at most ${max_attempts} times`,
    after_each === undefined ? '' : `with ${code(after_each.primitive)} between two attempts`,
    settle_after?.delay_ms === undefined ? '' : `then waits ${settle_after.delay_ms} ms`,
    settle_after?.locator === undefined ? '' : `then waits for ${code(JSON.stringify(settle_after.locator))}`,
    on_error === 'continue' && retry_until === undefined ? '**goes on when it fails**' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Describes how a tool without steps runs. */
export function executionWords(tool: Tool): string {
  const { workflow, x_actions } = tool;
  if (workflow !== undefined) return workflow.steps.length === 0 ? 'Runs nothing; gives a fixed answer.' : '';
  const handler = x_actions?.handler;
  if (handler !== undefined && modeOf(tool) !== 'steps_first')
    return `Runs the handler ${code(handler)} of the runtime.`;
  return handler !== undefined && x_actions?.execution?.steps === undefined
    ? `Runs the handler ${code(handler)} of the runtime.`
    : '';
}
