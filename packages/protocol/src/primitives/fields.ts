import { type TProperties, Type } from 'typebox';
import { Target } from '../manifest/target.ts';
import { LIMITS } from '../wire/limits.ts';

/** A closed object. */
export const closed = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

export const optional = Type.Optional;

/** Typed or pasted text. */
export const Text = Type.String({ maxLength: LIMITS.prompt.value });
export const Selector = Type.String({ minLength: 1, maxLength: LIMITS.selector.value });
export const Phrase = Type.String({ maxLength: LIMITS.label.value });
export const Coordinate = Type.Number();
export const Size = Type.Number({ minimum: 0 });
export const Whole = Type.Integer({ minimum: 0 });
export const Done = Type.Literal(true);

export const Frame = Type.Union([Selector, Type.Array(Selector, { maxItems: 8 })]);

/** Identifies an element: the targets of a map, and additional fields for primitives. */
export const Locator = closed({
  ...Target.properties,
  frame: optional(Frame),
  text: optional(Phrase),
  retarget: optional(closed({ closest: optional(Selector), selector: optional(Selector) })),
});

export const Point = closed({ x: Coordinate, y: Coordinate });
export const Box = closed({ x: Coordinate, y: Coordinate, width: Size, height: Size });
export const BoundingBox = closed({
  ...Box.properties,
  left: Coordinate,
  top: Coordinate,
  right: Coordinate,
  bottom: Coordinate,
});

/** `Enter`, `Control+a`. Not a control character: `\r` would be an Enter that no check sees. */
export const Chord = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$',
});

/** In CSS pixels: from the top left corner of an element, or of the viewport where no element is named. */
export const Pair = Type.Array(Coordinate, { minItems: 2, maxItems: 2 });
export const Path = Type.Array(Pair, { minItems: 2, maxItems: 200 });
export const HoldMs = Type.Integer({ minimum: 0, maximum: 30_000 });

export const Button = Type.Enum(['left', 'middle', 'right']);
export const Modifier = Type.Enum(['Alt', 'Control', 'Meta', 'Shift']);
export const Modifiers = Type.Array(Modifier, { maxItems: 4 });

/** `trusted`: the browser treats the input as a person's. */
export const Fidelity = Type.Enum(['trusted', 'synthetic']);

/** The action made the document leave, and its destination. */
export const Left = closed({
  navigation: Type.Literal('document'),
  from: Type.String(),
  to: Type.String(),
  /** False when the next document had not loaded yet. */
  arrived: Type.Boolean(),
});

/** In place of a result over its limit: how to ask for less. */
export const TooLarge = closed({
  code: Type.Literal('payload_too_large'),
  message: Type.String(),
  payload_bytes: Whole,
  max_payload_bytes: Whole,
  narrowing_hints: Type.Array(Type.String()),
});

export const MaxMatches = Type.Integer({ minimum: 1, maximum: 200 });
export const MaxPayload = Type.Integer({ minimum: 1_000, maximum: 256_000 });
export const TimeoutMs = Type.Integer({ minimum: 0, maximum: 30_000 });

export const AttachmentId = Type.String({ minLength: 1, maxLength: 256 });

/** A file that a page saved, as an attachment. */
export const SavedFile = closed({
  attachment_id: AttachmentId,
  name: Type.String(),
  type: Type.String(),
  bytes: Whole,
  sha256: Type.String(),
  /** The origin of the page that saved it. */
  origin: Type.String(),
});
