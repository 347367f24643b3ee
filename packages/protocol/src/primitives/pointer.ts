import { Type } from 'typebox';
import {
  BoundingBox,
  Button,
  Coordinate,
  closed,
  Done,
  Fidelity,
  Frame,
  Left,
  Locator,
  Modifiers,
  optional,
  Phrase,
  Point,
  Selector,
  Size,
  Whole,
} from './fields.ts';
import { mixed } from './primitive-spec.ts';

/** The element at a point of the page, before a click. */
export const PointTarget = closed({
  tag_name: Type.String(),
  id: Type.String(),
  class_name: Type.String(),
  role: Type.String(),
  data_testid: Type.Union([Type.String(), Type.Null()]),
  type: Type.Union([Type.String(), Type.Null()]),
  text: Type.String(),
  disabled: Type.Boolean(),
  aria_disabled: Type.Boolean(),
  bounding_box: BoundingBox,
  viewport: closed({ width: Size, height: Size }),
});

/** A point, or the centre of an element. */
const Place = closed({
  x: optional(Coordinate),
  y: optional(Coordinate),
  frame: optional(Frame),
  selector: optional(Selector),
  text: optional(Phrase),
  text_contains: optional(Phrase),
  text_equals: optional(Phrase),
  locator: optional(Locator),
});

const OUTSIDE = ['point_out_of_viewport'] as const;
const Pressed = { x: Coordinate, y: Coordinate, fidelity: Fidelity, left: optional(Left) };

export const POINTER = [
  mixed('pointer.move', {
    summary: 'Moves the pointer to a point of the viewport.',
    effect: 'act',
    input: closed({
      x: Coordinate,
      y: Coordinate,
      duration_ms: optional(Type.Integer({ minimum: 0, maximum: 5_000 })),
    }),
    output: closed({ x: Coordinate, y: Coordinate }),
    reasons: OUTSIDE,
  }),
  mixed('pointer.click', {
    summary: 'Clicks at a point of the viewport. Prefer element.click with an id.',
    effect: 'act',
    mutates: true,
    input: closed({ x: Coordinate, y: Coordinate, button: optional(Button), modifiers: optional(Modifiers) }),
    output: closed({ clicked: Done, ...Pressed, modifiers: Modifiers, target: PointTarget }),
    errors: ['target_not_found'],
    reasons: OUTSIDE,
  }),
  mixed('pointer.double_click', {
    summary: 'Double-clicks at a point of the viewport.',
    effect: 'act',
    mutates: true,
    input: closed({ x: Coordinate, y: Coordinate }),
    output: closed({ double_clicked: Done, ...Pressed, target: PointTarget }),
    errors: ['target_not_found'],
    reasons: OUTSIDE,
  }),
  mixed('pointer.drag', {
    summary: 'Drags from one point or located element to another.',
    effect: 'act',
    mutates: true,
    input: closed({
      from: Place,
      to: Place,
      duration_ms: optional(Type.Integer({ minimum: 0, maximum: 5_000 })),
      steps: optional(Type.Integer({ minimum: 1, maximum: 40 })),
    }),
    output: closed({
      dragged: Done,
      from: Point,
      to: Point,
      steps: Whole,
      fidelity: Fidelity,
      left: optional(Left),
      diagnostics: closed({ source: PointTarget, native_drag: Type.Boolean() }),
    }),
    errors: ['target_not_found', 'handler_failed'],
    reasons: [...OUTSIDE, 'missing_coordinates', 'drag_failed'],
  }),
] as const;
