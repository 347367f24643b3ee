import type { FieldFacts, RecordedStep } from '@drawbridge/page/recorder';
import { uniqueNames, wordOf } from './words.ts';

type FilledStep = Extract<RecordedStep, { kind: 'type' | 'choose' | 'check' }>;

/** A typed or chosen value as an argument of the tool. */
export interface Parameter {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required: boolean;
  /** The argument of `text.insert`. */
  readonly slot: string;
  /** The value for a replay; absent for a secret. */
  readonly sample?: unknown;
}

const MAX_SAMPLE_CHARS = 60;

/** Parameters by the step they come from. A field filled twice is one parameter. */
export function parametersOf(steps: readonly RecordedStep[]): Map<RecordedStep, Parameter> {
  const unique = uniqueNames();
  const parameters = new Map<RecordedStep, Parameter>();
  for (const step of steps) {
    if (step.kind !== 'type' && step.kind !== 'choose' && step.kind !== 'check') continue;
    parameters.set(step, parameterOf(step, unique(nameOf(step), 'text')));
  }
  return parameters;
}

function nameOf({ element, field }: FilledStep): string {
  if (element.role === 'searchbox') return 'query';
  return wordOf(field.word ?? '') || wordOf(element.name);
}

function parameterOf(step: FilledStep, name: string): Parameter {
  const label = step.element.name === '' ? `The ${step.field.type} field` : step.element.name;
  if (step.kind === 'check') {
    const slot = `{% $string($exists(input.${name}) ? input.${name} : ${step.checked}) %}`;
    const schema = { type: 'boolean', default: step.checked, description: label };
    return { name, schema, required: false, slot, sample: step.checked };
  }
  if (step.kind === 'choose') {
    const { options = [] } = step.field;
    const choices = [...new Set(options)].filter((option) => option !== '');
    const schema = {
      type: 'string',
      ...(choices.includes(step.value) && { enum: choices }),
      description: described(label, step.field, step.value),
    };
    return { name, schema, required: true, slot: `{% input.${name} %}`, sample: step.value };
  }
  if (step.value === undefined) {
    const schema = {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: `${label}. Secret: only its owner may give it.`,
    };
    return { name, schema, required: true, slot: `{% input.${name} %}` };
  }
  const number = step.field.type === 'number' ? Number(step.value) : Number.NaN;
  const description = described(label, step.field, step.value);
  return Number.isFinite(number)
    ? {
        name,
        schema: { type: Number.isInteger(number) ? 'integer' : 'number', description },
        required: true,
        slot: `{% $string(input.${name}) %}`,
        sample: number,
      }
    : {
        name,
        schema: { type: 'string', description },
        required: true,
        slot: `{% input.${name} %}`,
        sample: step.value,
      };
}

/** Maps are shared: personal values are left out. */
function described(label: string, { personal }: FieldFacts, value: string): string {
  const isShort = value !== '' && value.length <= MAX_SAMPLE_CHARS;
  return isShort && !personal ? `${label}, such as “${value}”.` : `${label}.`;
}
