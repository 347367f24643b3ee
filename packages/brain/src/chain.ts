import type { ChainedAction, NextStep, Plan } from '@drawbridge/protocol';
import { actionText, detailsOf } from './actions.ts';
import type { Vetted } from './vet.ts';

/**
 * INT-321: several actions of one answer. The client checks each field itself; the page after the last is
 * judged here without a model, which the newer document calls lightweight. After the last step of a plan the model
 * must see on the page that the task is done before it may finish: full.
 */
export function chainOf(
  steps: readonly Vetted[],
  plan: Plan | undefined,
): Pick<NextStep, 'actions' | 'chainedActions' | 'chainMetadata'> {
  const last = (plan?.steps.length ?? 0) - 1;
  // A single step is the goal itself, which may take many actions.
  const endsPlan = last > 0 && plan?.currentStepIndex === last;
  const finalLevel = endsPlan ? 'full' : 'lightweight';
  const actions = steps.map(({ step, subject }, index): ChainedAction => {
    const { name, elementId, args } = detailsOf(step, undefined);
    const isLast = index === steps.length - 1;
    const target = elementId === undefined ? {} : { elementId };
    const { value } = args ?? {};
    const check =
      typeof value === 'string'
        ? { type: 'value_matches', ...target, expectedValue: value }
        : { type: 'state_changed', ...target };
    return {
      action: actionText(step),
      description: subject ?? actionText(step),
      index,
      ...(elementId !== undefined && { targetElementId: elementId }),
      actionType: name,
      verificationLevel: isLast ? finalLevel : 'client',
      ...(!isLast && { clientVerificationChecks: [check] }),
    };
  });
  const isFill = steps.some(({ step }) => step.args !== undefined);
  return {
    actions,
    chainedActions: actions,
    chainMetadata: {
      totalActions: actions.length,
      safeToChain: true,
      chainReason: isFill ? 'FORM_FILL' : 'BULK_SELECTION',
      defaultVerificationLevel: 'client',
      clientVerificationSufficient: true,
      finalVerificationLevel: finalLevel,
    },
  };
}
