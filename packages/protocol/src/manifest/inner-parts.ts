import { Type } from 'typebox';
import { Target } from './target.ts';

/**
 * Parts that the shape of a map leaves open, because a runtime may support more than we know. These schemas
 * contain what the map engine knows; validation and the editor schema use them.
 */
const Name = Type.String({ minLength: 1 });
const Selectors = Type.Union([Name, Type.Array(Name)]);

export const ExecutionStep = Type.Object({
  id: Name,
  type: Name,
  target: Type.Optional(Target),
  value_from: Type.Optional(Name),
});

export const LoadWhen = Type.Object({
  states: Type.Optional(Type.Array(Name)),
  targets: Type.Optional(Type.Array(Type.Union([Name, Target]))),
  url_contains: Type.Optional(Type.String()),
  url_matches: Type.Optional(Type.String()),
});

export const Assertion = Type.Object({
  target: Type.Optional(Type.Union([Name, Target])),
  tool: Type.Optional(Name),
  state: Type.Optional(Name),
  attachment: Type.Optional(Name),
  visible: Type.Optional(Type.Boolean()),
});

export const Lifecycle = Type.Object({
  install: Type.Optional(Name),
  remove: Type.Optional(Name),
  reattach: Type.Optional(Name),
  drift: Type.Optional(Name),
});

/** `fields` nests: each member is an extract field. */
export const ExtractField = Type.Object({
  selector: Type.Optional(Selectors),
  xpath: Type.Optional(Name),
  attribute: Type.Optional(Name),
  property: Type.Optional(
    Type.Enum(['innerText', 'textContent', 'value', 'checked', 'ariaLabel', 'boundingClientRect', 'tagName']),
  ),
  closest: Type.Optional(Name),
  trim: Type.Optional(Type.Boolean()),
  required: Type.Optional(Type.Boolean()),
  many: Type.Optional(Type.Boolean()),
  default: Type.Optional(Type.Unknown()),
  fields: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
});

/** Requires `selector` or `xpath`. */
export const ExtractEntry = Type.Object({ ...ExtractField.properties, id: Name });

export const Postcondition = Type.Object({
  projection: Type.Optional(Name),
  verify: Type.Union([Type.String(), Type.Object({ expression: Type.String() })]),
  failure_message: Type.Optional(Type.String()),
});

/** Fields that a projection reads from a page: docs/spec/manifest.md, MAN-64 to MAN-66. */
export type ReadableProperty =
  | 'innerText'
  | 'textContent'
  | 'value'
  | 'checked'
  | 'ariaLabel'
  | 'boundingClientRect'
  | 'tagName';

/**
 * Searches from its record: up to `closest` first, then down by `selector` or `xpath`; without either it is
 * the record itself. The first matching selector of a list is used. With `fields` a match is a record;
 * otherwise it is the value of `property` or `attribute`, `innerText` by default.
 */
export interface ExtractField {
  readonly selector?: string | readonly string[];
  readonly xpath?: string;
  readonly closest?: string;
  readonly property?: ReadableProperty;
  readonly attribute?: string;
  readonly trim?: boolean;
  readonly required?: boolean;
  readonly default?: unknown;
  readonly many?: boolean;
  readonly fields?: Readonly<Record<string, ExtractField>>;
}

/** Searches from the document. */
export interface ExtractEntry extends ExtractField {
  readonly id: string;
}
