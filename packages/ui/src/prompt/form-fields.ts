export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly kind: 'text' | 'long' | 'number' | 'whole' | 'flag' | 'choice' | 'choices';
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly required: boolean;
  readonly initial: FormValue;
}

export type FormValue = string | boolean | readonly string[];

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const MAX_FIELDS = 50;
const LONG_TEXT = 200;

/** Inputs of a JSON Schema object. Unknown kinds become text inputs. */
export function parseForm(form: Fields | undefined): readonly FormField[] {
  const properties = form?.['properties'];
  if (!isFields(properties)) return [];
  const needed = form?.['required'];
  const required = new Set(Array.isArray(needed) ? needed : []);
  return Object.entries(properties)
    .slice(0, MAX_FIELDS)
    .map(([name, schema]) => parseField(name, isFields(schema) ? schema : {}, required.has(name)));
}

function parseField(name: string, schema: Fields, required: boolean): FormField {
  const items = schema['items'];
  const options = optionsOf(schema['type'] === 'array' && isFields(items) ? items : schema);
  const kind = kindOf(schema, options.length > 0);
  const hint = text(schema['description']);
  return {
    name,
    label: text(schema['title']) ?? name,
    kind,
    options,
    required,
    initial: initialOf(kind, schema['default']),
    ...(hint !== undefined && { hint }),
  };
}

function kindOf(schema: Fields, hasOptions: boolean): FormField['kind'] {
  if (schema['type'] === 'array' && hasOptions) return 'choices';
  if (hasOptions) return 'choice';
  if (schema['type'] === 'boolean') return 'flag';
  if (schema['type'] === 'number') return 'number';
  if (schema['type'] === 'integer') return 'whole';
  const longest = schema['maxLength'];
  return typeof longest === 'number' && longest > LONG_TEXT ? 'long' : 'text';
}

/** `enum`, with `enumNames`; or `oneOf`/`anyOf` of `{ const, title }`. */
function optionsOf(schema: Fields): FormField['options'] {
  const listed = schema['enum'];
  const names = schema['enumNames'];
  if (Array.isArray(listed)) {
    return listed.map((value: unknown, at) => ({
      value: String(value),
      label: (Array.isArray(names) ? text(names[at]) : undefined) ?? String(value),
    }));
  }
  const either = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(either)) return [];
  return either
    .filter(isFields)
    .flatMap((option) =>
      option['const'] === undefined
        ? []
        : [{ value: String(option['const']), label: text(option['title']) ?? String(option['const']) }],
    );
}

function initialOf(kind: FormField['kind'], value: unknown): FormValue {
  if (kind === 'flag') return value === true;
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : [];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The answers, or the names of missing and non-numeric fields. */
export function readForm(
  fields: readonly FormField[],
  values: Readonly<Record<string, FormValue>>,
): { readonly answer: Record<string, unknown> } | { readonly wrong: readonly string[] } {
  const answer: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const { name, kind, required, initial } of fields) {
    const value = values[name] ?? initial;
    const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
    if (isEmpty) {
      if (required) wrong.push(name);
    } else if (kind === 'number' || kind === 'whole') {
      const number = Number(value);
      if (kind === 'whole' ? Number.isInteger(number) : Number.isFinite(number)) answer[name] = number;
      else wrong.push(name);
    } else answer[name] = value;
  }
  return wrong.length > 0 ? { wrong } : { answer };
}
