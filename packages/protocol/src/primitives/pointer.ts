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

/** What is at a point of the page, before it is pressed. */
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

/** A point, or an element whose middle is meant. */
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
    summary: 'Presses at a point of the viewport, whatever is there. By id, element.click is surer.',
    effect: 'act',
    mutates: true,
    input: closed({ x: Coordinate, y: Coordinate, button: optional(Button), modifiers: optional(Modifiers) }),
    output: closed({ clicked: Done, ...Pressed, modifiers: Modifiers, target: PointTarget }),
    errors: ['target_not_found'],
    reasons: OUTSIDE,
  }),
  mixed('pointer.double_click', {
    summary: 'Presses twice at a point of the viewport.',
    effect: 'act',
    mutates: true,
    input: closed({ x: Coordinate, y: Coordinate }),
    output: closed({ double_clicked: Done, ...Pressed, target: PointTarget }),
    errors: ['target_not_found'],
    reasons: OUTSIDE,
  }),
  mixed('pointer.drag', {
    summary: 'Drags from one place to another; a place is a point or a located element.',
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
