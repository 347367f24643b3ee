import type { Trust } from '@drawbridge/manifest';
import type { EffectClass } from '@drawbridge/protocol';
import type { Tool } from '@drawbridge/protocol/manifest';
import { primitiveByName } from '@drawbridge/protocol/primitives';

export const effectOfStateRead: EffectClass = 'read';

const VOUCHED_FOR: ReadonlySet<Trust> = new Set<Trust>(['private', 'local', 'shared']);

/** Whether somebody here chose this map, so that its declared effects are trusted. */
export const believesItsMap = (trust: Trust): boolean => VOUCHED_FOR.has(trust);

/** The effect class that a trusted map declares, else the class of the tool's steps. */
export function effectOfTool(tool: Tool, trust: Trust): EffectClass {
  const declared = tool.x_actions?.effect;
  const bySteps = effectOfSteps(tool);
  if (declared === undefined) return bySteps;
  return believesItsMap(trust) ? declared : heavier(declared, bySteps);
}

export const heavier = (one: EffectClass, other: EffectClass): EffectClass =>
  WEIGHT[one] > WEIGHT[other] ? one : other;

const WEIGHT: Readonly<Record<EffectClass, number>> = { read: 0, act: 1, irreversible: 2 };

/** A handler is opaque code and may act. */
function effectOfSteps(tool: Tool): EffectClass {
  const steps = tool.workflow?.steps ?? tool.x_actions?.execution?.steps;
  if (steps === undefined) return 'act';
  const looks = steps.every((step) => primitiveByName(stepName(step))?.effect === 'read');
  return looks ? 'read' : 'act';
}

const stepName = (step: object): string =>
  'primitive' in step && typeof step.primitive === 'string' ? step.primitive : '';
