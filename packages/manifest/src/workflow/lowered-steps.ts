import { BridgeError } from '@drawbridge/protocol';
import { isObject, type Target, type Tool, type WorkflowStep } from '@drawbridge/protocol/manifest';
import type { Plan } from './run.ts';

/**
 * Translates `x_actions.execution.steps`, which name step types, into primitives, so that one interpreter
 * runs both with the same limits and trace.
 */
export function lowerExecutionSteps({ target, x_actions }: Pick<Tool, 'target' | 'x_actions'>): Plan {
  const written = x_actions?.execution?.steps ?? [];
  const ids = new Set<string>();
  const steps = written.flatMap((step, at) => lowerStep(readStep(step, at, target, ids)));
  return { steps, written_steps: written.length };
}

interface WrittenStep {
  readonly id: string;
  readonly type: string;
  readonly target: Target | undefined;
  /** The value itself, or a slot with a call argument. */
  readonly value: unknown;
}

type Lower = (step: WrittenStep) => WorkflowStep[];

const LOWERED: ReadonlyMap<string, Lower> = new Map<string, Lower>([
  ['inspect', (step) => [one(step, 'locator.element_info', { locator: targetOf(step) })]],
  ['read', (step) => [one(step, 'locator.text_content', { locator: targetOf(step) })]],
  ['focus', (step) => [one(step, 'dom.focus', { locator: targetOf(step) })]],
  ['click', (step) => atCentre(step, 'pointer.click')],
  ['double_click', (step) => atCentre(step, 'pointer.double_click')],
  ['hover', (step) => atCentre(step, 'pointer.move')],
  [
    'type',
    (step) => [one(step, 'text.insert', { text: step.value, target: targetOf(step), mode: 'replace' })],
  ],
  ['press', (step) => [one(step, 'keyboard.press', { key: step.value })]],
  ['scroll', (step) => [one(step, 'viewport.scroll', { delta_y: step.value ?? 600 })]],
  ['wait', (step) => [one(step, 'locator.wait_for', { locator: targetOf(step), state: 'visible' })]],
  ['navigate', (step) => [one(step, 'browser.navigate', { url: step.value })]],
]);

function lowerStep(step: WrittenStep): WorkflowStep[] {
  const lower = LOWERED.get(step.type);
  if (lower !== undefined) return lower(step);
  throw new BridgeError('capability_unavailable', `No runtime here runs steps of type "${step.type}".`, {
    evidence: { type: step.type, step: step.id, known_types: [...LOWERED.keys()] },
  });
}

const one = (step: WrittenStep, primitive: string, args: Record<string, unknown>): WorkflowStep => ({
  id: step.id,
  primitive,
  args,
});

/** Pointer primitives take coordinates, so the element is located first. */
function atCentre(step: WrittenStep, primitive: string): WorkflowStep[] {
  const found = `${step.id}_target`;
  const centre = `steps.\`${found}\`.output.clickable_center`;
  return [
    { id: found, primitive: 'locator.element_info', args: { locator: targetOf(step) } },
    one(step, primitive, { x: `{% ${centre}.x %}`, y: `{% ${centre}.y %}` }),
  ];
}

function targetOf({ id, type, target }: WrittenStep): Target {
  if (target !== undefined) return target;
  throw new BridgeError('invalid_workflow', `Step "${id}" (${type}) has no target, nor has its tool.`, {
    evidence: { step: id, field: 'target' },
  });
}

/** These steps may have any id or none; a workflow's ids must be plain and unique. */
function readStep(step: unknown, at: number, toolTarget: Target | undefined, ids: Set<string>): WrittenStep {
  const { id, type, target, value_from, value } = isObject(step) ? step : {};
  const named =
    typeof id === 'string' && /^[A-Za-z][A-Za-z0-9_-]*$/.test(id) && !ids.has(id) ? id : `step_${at + 1}`;
  ids.add(named).add(`${named}_target`);
  return {
    id: named,
    type: typeof type === 'string' ? type : 'none',
    target: isObject(target) ? target : toolTarget,
    value: typeof value_from === 'string' ? `{% $lookup(input, ${JSON.stringify(value_from)}) %}` : value,
  };
}
