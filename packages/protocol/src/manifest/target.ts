import { type Static, Type } from 'typebox';
import { Label } from '../wire/fields.ts';
import { LIMITS } from '../wire/limits.ts';

export const Selector = Type.String({ minLength: 1, maxLength: LIMITS.selector.value });

const Selectors = Type.Union([Selector, Type.Array(Selector)]);

/** The part of the live page that an action, event, check or attachment applies to. */
export const Target = Type.Object({
  selector: Type.Optional(Selectors),
  selectors: Type.Optional(Selectors),
  fallback_selectors: Type.Optional(Selectors),
  role: Type.Optional(Label),
  name: Type.Optional(Label),
  text_equals: Type.Optional(Label),
  text_contains: Type.Optional(Label),
  url_contains: Type.Optional(Label),
  url_matches: Type.Optional(Label),
  state: Type.Optional(Label),
  confidence: Type.Optional(Type.Enum(['observed', 'inferred', 'generated', 'unknown'])),
  notes: Type.Optional(Type.String()),
});

export type Target = Static<typeof Target>;
