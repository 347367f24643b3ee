import {
  type Action,
  type ActionDetails,
  formatAction,
  type InteractRequest,
  type MapTool,
} from '@drawbridge/protocol';

/** Actions of every client (INT-120). */
export const BASIC_ACTIONS = ['click', 'setValue', 'navigate', 'scroll', 'finish', 'fail'] as const;

/** Actions of a client that lists their names in `features`. */
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

/** A client that lists it asks a person itself before irreversible actions. */
export const GRANTS_FEATURE = 'grants';

/** A client that lists it does several actions of one answer in a row (INT-321). */
export const CHAIN_FEATURE = 'chain';
/** Actions that may stand in a chain: each is undone by doing it again. */
export const CHAINED_ACTIONS: readonly string[] = ['setValue', 'select', 'check', 'uncheck'];

export type ClientAction = (typeof BASIC_ACTIONS)[number] | (typeof DECLARED_ACTIONS)[number];

export function actionsFor({ features = [], tools = [], taskType }: InteractRequest): ClientAction[] {
  if (taskType === 'chat_only') return ['finish', 'fail'];
  const declared = DECLARED_ACTIONS.filter((name) => features.includes(name));
  return [...BASIC_ACTIONS, ...declared.filter((name) => name !== 'call' || tools.length > 0)];
}

export function toolsFor({ features = [], tools = [] }: InteractRequest): readonly MapTool[] {
  return features.includes('call') ? tools : [];
}

/** An action on one element as a client parses it, repeated in `actionDetails` (INT-52, INT-125). */
export interface ClientStep {
  readonly action: Action;
  readonly elementId?: string;
  /** Named arguments beside the element. */
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
