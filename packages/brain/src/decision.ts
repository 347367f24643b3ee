import { isObject } from '@drawbridge/protocol/manifest';
import { OUTCOME_KINDS } from '@drawbridge/protocol/semantic';
import type { ClientAction } from './actions.ts';
import { type ExpectedOutcome, parseOutcome } from './expected-outcome.ts';

/** Actions of the model beside those of the client. */
const OWN_ACTIONS = ['ask', 'need_picture', 'need_full_dom'] as const;

export type DecisionName = ClientAction | (typeof OWN_ACTIONS)[number];

export interface Decision {
  readonly thought: string;
  readonly stepDone: boolean;
  readonly plan: readonly string[];
  readonly action: DecisionName;
  readonly element: string;
  readonly text: string;
  readonly json: string;
  readonly expected: ExpectedOutcome | undefined;
  readonly confidence: number;
}

const text = (description: string) => ({ type: 'string', description });

/**
 * The answer's schema: closed, flat, every field required, free JSON as text. Strict modes refuse open
 * objects, and small models fail on nested ones.
 */
export function decisionSchema(actions: readonly ClientAction[]): Record<string, unknown> {
  const properties = {
    thought: text('One or two sentences for the person: what you see and what you do next.'),
    step_done: { type: 'boolean', description: 'The current step of the plan was done before this action.' },
    plan: {
      type: 'array',
      items: { type: 'string' },
      description:
        'The steps left, the current one first, when there is no plan yet or it must change; else empty.',
    },
    action: { type: 'string', enum: [...actions, ...OWN_ACTIONS] },
    element: text('The id of the element, exactly as the page part gives it; else empty.'),
    text: text(
      'What the action needs: text, address, option, key, tool name, question, reason, summary; else empty.',
    ),
    json: text('For call the arguments, for finish the result, as JSON; else empty.'),
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
export function parseDecision(value: unknown, actions: readonly ClientAction[]): Decision | string {
  if (!isObject(value)) return 'Your answer was no JSON object. Answer with one object of the given schema.';
  const known = [...actions, ...OWN_ACTIONS];
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
    expected: parseOutcome(value['expect']),
    confidence: typeof confidence === 'number' ? confidence : 0,
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : '';
}
