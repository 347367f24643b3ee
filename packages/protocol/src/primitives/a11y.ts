import { Type } from 'typebox';
import { BoundingBox, Box, closed, optional, Phrase, Point, Selector, Whole } from './fields.ts';
import { portable } from './primitive-spec.ts';

const Described = closed({ role: Type.String(), name: Type.String() });

export const A11Y = [
  portable('a11y.query', {
    summary:
      'The shown element with this role and accessible name: where it is, and where a press reaches it. Scrolls it into view.',
    effect: 'read',
    input: closed({ role: optional(Phrase), name: optional(Phrase), name_contains: optional(Phrase) }),
    output: closed({
      found: Type.Boolean(),
      match_count: Whole,
      /** The first ones. */
      matches: Type.Array(Described),
      role: optional(Type.String()),
      name: optional(Type.String()),
      tag_name: optional(Type.String()),
      text: optional(Type.String()),
      /** A field's, unless it is a secret one. */
      value: optional(Type.String()),
      bounding_box: optional(BoundingBox),
      visible_rect: optional(Box),
      visible_center: optional(Point),
      clickable: optional(Type.Boolean()),
      receives_events: optional(Type.Boolean()),
      /** The point was hit-tested. */
      actionability_attested: optional(Type.Boolean()),
      occluded_by: optional(Type.String()),
      clickable_center: optional(Point),
    }),
    reasons: ['nothing_asked'],
  }),
  portable('a11y.tree', {
    summary: 'The shown elements with a role, in document order, with accessible names and depth.',
    effect: 'read',
    input: closed({
      selector: optional(Selector),
      max_nodes: optional(Type.Integer({ minimum: 1, maximum: 2_000 })),
    }),
    output: closed({
      nodes: Type.Array(closed({ ...Described.properties, depth: Whole })),
      node_count: Whole,
      truncated: Type.Boolean(),
    }),
    reasons: ['selector_refused'],
  }),
] as const;
