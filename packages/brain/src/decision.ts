import { isObject } from '@drawbridge/protocol/manifest';
import { OUTCOME_KINDS } from '@drawbridge/protocol/semantic';
import { CHAINED_ACTIONS, type ClientAction } from './actions.ts';
import { type ExpectedOutcome, parseOutcome } from './expected-outcome.ts';
import { MEMORY_ACTIONS } from './facts.ts';

/** Actions of the model beside those of the client. */
const OWN_ACTIONS = ['ask', 'need_picture', 'need_full_dom', ...MEMORY_ACTIONS] as const;

export type DecisionName = ClientAction | (typeof OWN_ACTIONS)[number];

/** The actions of a step. */
export interface Offer {
  readonly actions: readonly ClientAction[];
  /** The client does several actions in a row. */
  readonly isChainable: boolean;
  /** INT-324: an answer without a page. */
  readonly isChat: boolean;
}

/** A further action right after the first (INT-321). */
export interface Link {
  readonly action: ClientAction;
  readonly element: string;
  readonly text: string;
}

const ownActions = ({ isChat }: Offer) => (isChat ? [] : OWN_ACTIONS);

export interface Decision {
  readonly thought: string;
  readonly stepDone: boolean;
  readonly plan: readonly string[];
  readonly action: DecisionName;
  readonly element: string;
  readonly text: string;
  readonly json: string;
  readonly more: readonly Link[];
  readonly expected: ExpectedOutcome | undefined;
  readonly confidence: number;
}

const text = (description: string) => ({ type: 'string', description });

const MORE = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: CHAINED_ACTIONS },
      element: text('The id of another element of the same form.'),
      text: text('The value or option; else empty.'),
    },
    required: ['action', 'element', 'text'],
    additionalProperties: false,
  },
  description: 'Further fields of the same form, filled right after the first without a look; else empty.',
};

/**
 * The answer's schema: closed, flat, every field required, free JSON as text. Strict modes refuse open
 * objects, and small models fail on nested ones.
 */
export function decisionSchema(offer: Offer): Record<string, unknown> {
  const properties = {
    thought: text('One or two sentences for the person: what you see and what you do next.'),
    step_done: { type: 'boolean', description: 'The current step of the plan was done before this action.' },
    plan: {
      type: 'array',
      items: { type: 'string' },
      description:
        'The steps left, one browser action each, the current one first, when there is no plan yet or it must change; else empty.',
    },
    action: { type: 'string', enum: [...offer.actions, ...ownActions(offer)] },
    element: text('The id of the element, exactly as the page part gives it; else empty.'),
    text: text(
      'What the action needs: text, address, option, key, tool name, question, reason, summary; else empty.',
    ),
    json: text('For call the arguments, for finish the result, for remember the value, as JSON; else empty.'),
    ...(offer.isChainable && { more: MORE }),
    expect: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['none', ...OUTCOME_KINDS] },
        name: text('The name of the element it is about; empty for the one acted on.'),
        to: text('The new value, state or part of the address; else empty.'),
      },
      required: ['type', 'name', 'to'],
      additionalProperties: false,
    },
    confidence: { type: 'number', description: 'From 0 to 1: how sure you are.' },
  };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Parses a model's answer; returns a text that names the error. Not every model obeys its schema. */
export function parseDecision(value: unknown, offer: Offer): Decision | string {
  if (!isObject(value)) return 'Your answer was no JSON object. Answer with one object of the given schema.';
  const known = [...offer.actions, ...ownActions(offer)];
  const action = known.find((name) => name === value['action']);
  if (action === undefined) return `"action" must be one of ${known.join(', ')}.`;
  const { plan, confidence } = value;
  return {
    thought: textOf(value['thought']),
    stepDone: value['step_done'] === true,
    plan: Array.isArray(plan) ? plan.filter((step) => typeof step === 'string' && step.trim() !== '') : [],
    action,
    element: textOf(value['element']).trim(),
    text: textOf(value['text']),
    json: textOf(value['json']).trim(),
    more: offer.isChainable && Array.isArray(value['more']) ? linksIn(value['more'], offer) : [],
    expected: parseOutcome(value['expect']),
    confidence: typeof confidence === 'number' ? confidence : 0,
  };
}

function linksIn(list: readonly unknown[], { actions }: Offer): Link[] {
  return list.filter(isObject).flatMap((link) => {
    const action = actions.find((name) => name === link['action']);
    if (action === undefined) return [];
    return [{ action, element: textOf(link['element']).trim(), text: textOf(link['text']) }];
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : '';
}
