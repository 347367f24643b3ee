import { type Static, Type } from 'typebox';
import { Count, Id, Label, Url } from '../wire/fields.ts';
import { LIMITS } from '../wire/limits.ts';

const Coordinate = Type.Number();

/** One actionable element of the page, with short keys (V3). */
export const SemanticNode = Type.Object({
  i: Id,
  r: Id,
  n: Label,
  v: Type.Optional(Type.String()),
  s: Type.Optional(Label),
  xy: Type.Optional(Type.Tuple([Coordinate, Coordinate])),
  box: Type.Optional(Type.Tuple([Coordinate, Coordinate, Coordinate, Coordinate])),
  scr: Type.Optional(Type.Object({ depth: Label, h: Type.Boolean() })),
  occ: Type.Optional(Type.Boolean()),
  f: Type.Optional(Count),
});

/** The same with full keys (V2). */
export const SemanticNodeV2 = Type.Object({
  id: Id,
  role: Id,
  name: Label,
  value: Type.Optional(Type.String()),
  state: Type.Optional(Label),
  type: Type.Optional(Label),
  placeholder: Type.Optional(Label),
  href: Type.Optional(Type.String({ maxLength: LIMITS.url.value })),
  isInShadow: Type.Optional(Type.Boolean()),
  frameId: Type.Optional(Count),
  bounds: Type.Optional(Type.Object({ x: Coordinate, y: Coordinate, width: Coordinate, height: Coordinate })),
});

export const Viewport = Type.Object({
  width: Type.Number({ minimum: 0 }),
  height: Type.Number({ minimum: 0 }),
});

export const ScrollableContainer = Type.Object({ id: Id, depth: Label, hasMore: Type.Boolean() });

const EventText = Type.String({ maxLength: LIMITS.event_text.value });

/** Facts about a page beside its nodes. */
export const pageSigns = {
  viewport: Type.Optional(Viewport),
  scrollPosition: Type.Optional(Type.String({ maxLength: LIMITS.scroll_position.value })),
  scrollableContainers: Type.Optional(Type.Array(ScrollableContainer)),
  recentEvents: Type.Optional(Type.Array(EventText, { maxItems: LIMITS.recent_events.value })),
  hasErrors: Type.Optional(Type.Boolean()),
  hasSuccess: Type.Optional(Type.Boolean()),
};

/** A whole page as reported by the page code. */
export const SemanticPage = Type.Object({
  mode: Type.Literal('semantic'),
  url: Url,
  title: Label,
  interactive_tree: Type.Array(SemanticNode),
  ...pageSigns,
});

export type SemanticNode = Static<typeof SemanticNode>;
export type SemanticNodeV2 = Static<typeof SemanticNodeV2>;
export type SemanticPage = Static<typeof SemanticPage>;
export type Viewport = Static<typeof Viewport>;
