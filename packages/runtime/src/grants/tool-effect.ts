import type { Trust } from '@drawbridge/manifest';
import type { EffectClass } from '@drawbridge/protocol';
import type { Tool } from '@drawbridge/protocol/manifest';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import { CLASS_RANK } from './grant-book.ts';

export const effectOfStateRead: EffectClass = 'read';

const TRUSTED: ReadonlySet<Trust> = new Set<Trust>(['private', 'local', 'shared']);

/** Whether somebody here chose this map, so that its declared effects are trusted. */
export const isTrustedMap = (trust: Trust): boolean => TRUSTED.has(trust);

/** The effect class that a trusted map declares, else the class of the tool's steps. */
export function effectOfTool(tool: Tool, trust: Trust): EffectClass {
  const declared = tool.x_actions?.effect;
  const bySteps = effectOfSteps(tool);
  if (declared === undefined) return bySteps;
  return isTrustedMap(trust) ? declared : higherClass(declared, bySteps);
}

export const higherClass = (one: EffectClass, other: EffectClass): EffectClass =>
  CLASS_RANK[one] > CLASS_RANK[other] ? one : other;

/** A handler is opaque code and may act. */
function effectOfSteps(tool: Tool): EffectClass {
  const steps = tool.workflow?.steps ?? tool.x_actions?.execution?.steps;
  if (steps === undefined) return 'act';
  const looks = steps.every((step) => primitiveByName(stepName(step))?.effect === 'read');
  return looks ? 'read' : 'act';
}

const stepName = (step: object): string =>
  'primitive' in step && typeof step.primitive === 'string' ? step.primitive : '';
