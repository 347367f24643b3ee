import { Type } from 'typebox';
import {
  BoundingBox,
  Coordinate,
  closed,
  Locator,
  optional,
  Phrase,
  Point,
  Selector,
  TimeoutMs,
  Whole,
} from './fields.ts';
import { portable } from './primitive-spec.ts';

const Visibility = Type.Enum(['visible', 'off_screen', 'hidden']);

const Candidate = closed({
  id: Type.String(),
  tag_name: Type.String(),
  role: Type.String(),
  name: Type.String(),
  text: Type.String(),
  visible: Type.Boolean(),
  bounding_box: BoundingBox,
  visibility: Visibility,
  clickable: Type.Boolean(),
  clickable_center: optional(Point),
  occluded_by: optional(Type.String()),
});

const FOUND = {
  errors: ['target_not_found', 'capability_unavailable'],
  reasons: ['frame_not_found', 'frame_cross_origin', 'selector_refused'],
} as const;

export const LOCATOR = [
  portable('locator.element_info', {
    summary:
      'The one element a locator means: where it is, and where a press reaches it. Scrolls it into view.',
    effect: 'read',
    input: closed({ locator: Locator, auto_scroll: optional(Type.Boolean()) }),
    output: closed({
      locator: Locator,
      ...Candidate.properties,
      selector_path: optional(Type.String()),
      initial_visibility: Visibility,
      scroll_operations_performed: Whole,
      ambiguous: Type.Boolean(),
      candidate_count: Whole,
      candidates: Type.Array(Candidate),
      selector: optional(Type.String()),
      used_fallback: Type.Boolean(),
    }),
    ...FOUND,
  }),
  portable('locator.text_content', {
    summary: 'The whole text of the located element.',
    effect: 'read',
    input: closed({ locator: Locator }),
    output: closed({ locator: Locator, text: Type.String() }),
    ...FOUND,
  }),
  portable('locator.value', {
    summary: 'The value of a field; for a secret field only whether it is filled.',
    effect: 'read',
    input: closed({ locator: Locator }),
    output: closed({
      locator: Locator,
      value: Type.Union([Type.String(), Type.Null()]),
      settable: Type.Boolean(),
      tag_name: Type.String(),
      checked: optional(Type.Boolean()),
      /** For a secret field, in place of its value. */
      filled: optional(Type.Boolean()),
    }),
    ...FOUND,
  }),
  portable('locator.wait_for', {
    summary: 'Waits until the located element exists, or is visible.',
    effect: 'read',
    input: closed({
      locator: Locator,
      state: optional(Type.Enum(['attached', 'visible'])),
      timeout_ms: optional(TimeoutMs),
    }),
    output: closed({ matched: Type.Literal(true), state: Type.String(), elapsed_ms: Whole }),
    errors: FOUND.errors,
    reasons: [...FOUND.reasons, 'timeout'],
  }),
] as const;

const ScrollPosition = closed({ scroll_x: Coordinate, scroll_y: Coordinate });

const Scope = closed({
  selector: optional(Selector),
  selectors: optional(Type.Array(Selector, { maxItems: 20 })),
  text_equals: optional(Phrase),
  text_contains: optional(Phrase),
  root_selector: optional(Selector),
  root_strategy: optional(Type.Enum(['scope', 'parent', 'nearest_ancestor_containing_items'])),
  max_ancestor_depth: optional(Type.Integer({ minimum: 0, maximum: 20 })),
});

export const VIEWPORT = [
  portable('viewport.scroll', {
    summary: 'Scrolls the page, or the scrollable container of a scope, by pixels.',
    effect: 'read',
    input: closed({
      delta_x: optional(Coordinate),
      delta_y: optional(Coordinate),
      scope: optional(Scope),
      item_selector: optional(Selector),
    }),
    output: closed({
      moved: Type.Boolean(),
      target: Type.Enum(['viewport', 'element']),
      before: ScrollPosition,
      after: ScrollPosition,
      delta_x: Coordinate,
      delta_y: Coordinate,
      diagnostics: closed({
        tag_name: Type.String(),
        scrollable: Type.Boolean(),
        at_start: Type.Boolean(),
        at_end: Type.Boolean(),
        item_count: optional(Whole),
      }),
    }),
    errors: ['target_not_found'],
    reasons: ['selector_refused'],
  }),
] as const;
