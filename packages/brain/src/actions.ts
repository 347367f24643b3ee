import {
  type Action,
  type ActionDetails,
  formatAction,
  type InteractRequest,
  type MapTool,
} from '@drawbridge/protocol';

/** What every client does (INT-120). */
export const BASIC_ACTIONS = ['click', 'setValue', 'navigate', 'scroll', 'finish', 'fail'] as const;

/** What a client does that lists the action's name in `features`. */
export const DECLARED_ACTIONS = [
  'select',
  'check',
  'uncheck',
  'press',
  'hover',
  'back',
  'wait',
  'call',
] as const;

/** A client that lists it asks a person itself before what cannot be undone. */
export const GRANTS_FEATURE = 'grants';

export type ClientAction = (typeof BASIC_ACTIONS)[number] | (typeof DECLARED_ACTIONS)[number];

export function actionsFor({ features = [], tools = [] }: InteractRequest): ClientAction[] {
  const declared = DECLARED_ACTIONS.filter((name) => features.includes(name));
  return [...BASIC_ACTIONS, ...declared.filter((name) => name !== 'call' || tools.length > 0)];
}

export function toolsFor({ features = [], tools = [] }: InteractRequest): readonly MapTool[] {
  return features.includes('call') ? tools : [];
}

/** An action of one element, as a client reads it, with the same in `actionDetails` (INT-52, INT-125). */
export interface ClientStep {
  readonly action: Action;
  readonly elementId?: string;
  /** The arguments beside the element, by name. */
  readonly args?: Readonly<Record<string, unknown>>;
}

export function actionText({ action }: ClientStep): string {
  return formatAction(action);
}

export function detailsOf(
  { action, elementId, args }: ClientStep,
  selectorPath: string | undefined,
): ActionDetails {
  return {
    name: action.name,
    ...(elementId !== undefined && {
      elementId: /^\d{1,15}$/.test(elementId) ? Number(elementId) : elementId,
    }),
    ...(selectorPath !== undefined && { selectorPath }),
    ...(args !== undefined && { args: { ...args } }),
  };
}
