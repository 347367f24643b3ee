import { type TProperties, Type } from 'typebox';
import { OUTCOME_KINDS } from '../semantic/outcome-kinds.ts';
import { AnyObject, Id } from '../wire/fields.ts';
import {
  AttachmentId,
  Button,
  Chord,
  Coordinate,
  closed,
  Fidelity,
  HoldMs,
  Locator,
  Modifiers,
  optional,
  Pair,
  Path,
  Phrase,
  SavedFile,
  Selector,
  Text,
  Whole,
} from './fields.ts';
import { mixed, portable } from './primitive-spec.ts';

const OutcomeElement = closed({
  id: optional(Id),
  selector: optional(Selector),
  role: optional(Phrase),
  name: optional(Phrase),
  text: optional(Phrase),
});

const outcome = {
  type: Type.Enum([...OUTCOME_KINDS]),
  element: optional(OutcomeElement),
  to: optional(Phrase),
  timeoutMs: optional(Type.Integer({ minimum: 0, maximum: 30_000 })),
};

/** The expected effect of an action, with alternatives. */
export const ExpectedOutcome = closed({
  ...outcome,
  orOutcome: optional(closed({ ...outcome, orOutcome: optional(closed(outcome)) })),
});

export const Effect = Type.Object({
  happened: Type.Boolean(),
  url: optional(closed({ from: Type.String(), to: Type.String() })),
  navigation: optional(Type.Enum(['document', 'same_document'])),
  download: optional(Type.String()),
  opens_tab: optional(Type.Literal(true)),
  added: Type.Array(AnyObject),
  removed: Type.Array(AnyObject),
  changed: Type.Array(AnyObject),
  unlisted: optional(Type.Array(Type.String())),
  seen: optional(Type.Array(Type.String())),
  focus_only: optional(Type.Literal(true)),
  background: optional(Type.Array(Type.String())),
  drawing: optional(Type.Literal('not observed')),
  timer: optional(Type.Literal(true)),
  watched_ms: optional(Whole),
  dialogs: Type.Array(Type.String()),
  requests: Whole,
  errors: Type.Array(Type.String()),
  successes: Type.Array(Type.String()),
  messages: Type.Array(Type.String()),
  settled: Type.String(),
});

/** An action on an element and its effect. */
const Acted = closed({
  action: Type.String(),
  id: optional(Id),
  fidelity: Fidelity,
  healed: optional(
    closed({ from: Id, to: Id, confidence: Type.Number(), why: Type.Enum(['detached', 'changed_identity']) }),
  ),
  reads: optional(Type.String()),
  /** The element at the point, or the one with the focus, where no id was given. */
  on: optional(Type.String()),
  /** Where the scrolled box or page stands now, and its ends. */
  position: optional(closed({ x: Coordinate, y: Coordinate, max_x: Coordinate, max_y: Coordinate })),
  /** Set when the value was set as a hand does, because the page did not hear it otherwise. */
  by: optional(Type.Enum(['keys', 'dragging'])),
  /** The reason why setting it again as a hand does failed; the value is set. */
  by_hand_failed: optional(Type.String()),
  achieved: optional(Type.Literal(false)),
  /** Files that the page saved because of it. */
  saved: optional(Type.Array(SavedFile)),
  /** The reason why a file that it downloads cannot be read. */
  not_saved: optional(Type.String()),
  effect: Effect,
  /** Changes after the last report and before this act. */
  late: optional(Effect),
  verification_passed: Type.Boolean(),
  verification_message: Type.String(),
  errors_detected: Type.Array(Type.String()),
  success_messages: Type.Array(Type.String()),
  clientObservations: closed({
    didNetworkOccur: Type.Boolean(),
    didDomMutate: Type.Boolean(),
    didUrlChange: Type.Boolean(),
  }),
});

/** A file by its content, as an attachment, or by its path on the browser's machine. */
const FileData = Type.Union([
  closed({
    name: Type.String({ minLength: 1, maxLength: 255 }),
    type: optional(Type.String({ maxLength: 255 })),
    base64: Type.String(),
  }),
  closed({ attachment_id: AttachmentId }),
  closed({ path: Type.String({ minLength: 1, maxLength: 4_096 }) }),
]);

const Choice = Type.Union([
  closed({ value: Type.String() }),
  closed({ label: Type.String() }),
  closed({ index: Whole }),
]);

const onElement = <Fields extends TProperties>(fields: Fields) =>
  closed({ id: Id, ...fields, expected: optional(ExpectedOutcome) });

/** On an element, or at a point of the viewport. */
const atPoint = <Fields extends TProperties>(fields: Fields) =>
  closed({ id: optional(Id), at: optional(Pair), ...fields, expected: optional(ExpectedOutcome) });

const WORDING = {
  effect: 'act',
  output: Acted,
  errors: ['target_not_found', 'handler_failed'],
  reasons: [
    ...[
      'ambiguous',
      'changed_identity',
      'changed_origin',
      'covered',
      'detached',
      'disabled',
      'failed',
      'hidden',
    ],
    ...['moving', 'not_a_choice', 'not_editable', 'not_pressed', 'off_screen', 'unknown_id', 'wrong_value'],
  ],
} as const;
const CHANGING = { ...WORDING, mutates: true } as const;

export const ELEMENT = [
  mixed('element.click', {
    summary:
      'Clicks the element with this id, the one element a locator means, a point inside it, or a point of the viewport, once or up to three times, and reports the effect. `hold_ms` keeps the button down, at most until the text `until` is shown.',
    input: atPoint({
      locator: optional(Locator),
      button: optional(Button),
      modifiers: optional(Modifiers),
      count: optional(Type.Integer({ minimum: 1, maximum: 3 })),
      hold_ms: optional(HoldMs),
      until: optional(Phrase),
      touch: optional(Type.Boolean()),
    }),
    ...CHANGING,
  }),
  mixed('element.double_click', {
    summary: 'Double-clicks the element, or a point.',
    input: atPoint({ modifiers: optional(Modifiers) }),
    ...CHANGING,
  }),
  mixed('element.hover', {
    summary: 'Moves the pointer over the element, to a point, or along a path.',
    input: atPoint({ path: optional(Path) }),
    ...WORDING,
  }),
  portable('element.focus', { summary: 'Focuses the element.', input: onElement({}), ...WORDING }),
  portable('element.fill', {
    summary: 'Replaces the text of the field.',
    input: onElement({ text: Text }),
    ...CHANGING,
  }),
  portable('element.type', {
    summary: 'Types into the field, key by key, after its text.',
    input: onElement({ text: Text }),
    ...CHANGING,
  }),
  portable('element.select', {
    summary: 'Selects options of a list by value, label or index from 0.',
    input: onElement({ choice: Type.Union([Choice, Type.Array(Choice, { minItems: 1, maxItems: 100 })]) }),
    ...CHANGING,
  }),
  portable('element.check', {
    summary: 'Ticks a checkbox, a radio button or a switch.',
    input: onElement({}),
    ...CHANGING,
  }),
  portable('element.uncheck', {
    summary: 'Unticks a checkbox or a switch.',
    input: onElement({}),
    ...CHANGING,
  }),
  portable('element.upload', {
    summary: 'Uploads files to a file field, to the one behind a button, or to a drop area.',
    input: onElement({ files: Type.Array(FileData, { minItems: 1, maxItems: 20 }) }),
    ...CHANGING,
    errors: [...CHANGING.errors, 'capability_unavailable', 'permission_denied'],
    reasons: [...CHANGING.reasons, 'folder_not_allowed', 'too_large'],
  }),
  portable('element.scroll_to', {
    summary:
      'Scrolls the element into view, or scrolls inside a scrollable element; without an id, the page. Reports the position.',
    input: closed({
      id: optional(Id),
      direction: optional(Type.Enum(['down', 'up', 'left', 'right'])),
      by: optional(Type.Number({ minimum: 0 })),
      to: optional(Type.Union([Type.Enum(['start', 'end']), Pair])),
      expected: optional(ExpectedOutcome),
    }),
    ...WORDING,
    effect: 'read',
  }),
  mixed('element.drag', {
    summary:
      'Drags the element, or from a point: onto another element, to a point, by a distance, or along a path.',
    input: atPoint({
      to_id: optional(Id),
      to: optional(Pair),
      by: optional(Pair),
      path: optional(Path),
      /** With a finger in place of the mouse. */
      touch: optional(Type.Boolean()),
    }),
    ...CHANGING,
  }),
  mixed('element.wheel', {
    summary: 'Turns the mouse wheel over the element or a point, by pixels across and down.',
    input: atPoint({ by: Pair }),
    ...WORDING,
  }),
  portable('element.select_text', {
    summary:
      'Selects words of the element (the `nth` place where it has them), characters by their range, or its whole text.',
    input: onElement({
      text: optional(Text),
      nth: optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
      range: optional(Type.Array(Whole, { minItems: 2, maxItems: 2 })),
    }),
    ...CHANGING,
  }),
  mixed('element.keys', {
    summary:
      'Presses keys or chords on the element, or on the focused one; or holds one down, for a time or until it is released by `up`.',
    input: closed({
      id: optional(Id),
      keys: Type.Union([Chord, Type.Array(Chord, { minItems: 1, maxItems: 100 })]),
      hold_ms: optional(HoldMs),
      phase: optional(Type.Enum(['down', 'up'])),
      expected: optional(ExpectedOutcome),
    }),
    ...CHANGING,
  }),
] as const;
