import type { Trust } from '@drawbridge/manifest';
import type { EffectClass } from '@drawbridge/protocol';
import type { Tool } from '@drawbridge/protocol/manifest';
import { primitiveByName } from '@drawbridge/protocol/primitives';

/** Reading a state or a list of tools only looks. */
export const effectOfStateRead: EffectClass = 'read';

const VOUCHED_FOR: ReadonlySet<Trust> = new Set<Trust>(['private', 'local', 'shared']);

/** Whether somebody here chose this map: then what it says of its tools is believed. */
export const believesItsMap = (trust: Trust): boolean => VOUCHED_FOR.has(trust);

/** What a tool may do: what its map says when the map is believed, else what its steps could do. */
export function effectOfTool(tool: Tool, trust: Trust): EffectClass {
  const declared = tool.x_actions?.effect;
  const bySteps = effectOfSteps(tool);
  if (declared === undefined) return bySteps;
  return believesItsMap(trust) ? declared : heavier(declared, bySteps);
}

export const heavier = (one: EffectClass, other: EffectClass): EffectClass =>
  WEIGHT[one] > WEIGHT[other] ? one : other;

const WEIGHT: Readonly<Record<EffectClass, number>> = { read: 0, act: 1, irreversible: 2 };

/** A handler is code that nobody reads here: it may act. */
function effectOfSteps(tool: Tool): EffectClass {
  const steps = tool.workflow?.steps ?? tool.x_actions?.execution?.steps;
  if (steps === undefined) return 'act';
  const looks = steps.every((step) => primitiveByName(stepName(step))?.effect === 'read');
  return looks ? 'read' : 'act';
}

const stepName = (step: object): string =>
  'primitive' in step && typeof step.primitive === 'string' ? step.primitive : '';
