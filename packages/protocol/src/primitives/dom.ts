import { Type } from 'typebox';
import {
  BoundingBox,
  Box,
  Coordinate,
  closed,
  Frame,
  Locator,
  MaxMatches,
  MaxPayload,
  optional,
  Phrase,
  Point,
  Selector,
  Size,
  TooLarge,
  Whole,
} from './fields.ts';
import { portable } from './primitive-spec.ts';

const NARROWING = {
  max_matches: optional(MaxMatches),
  max_payload_bytes: optional(MaxPayload),
  frame: optional(Frame),
};

const VisibleMatch = closed({
  tag_name: Type.String(),
  text: Type.String(),
  bounding_box: BoundingBox,
  visible_rect: Box,
  visible_center: Point,
  clickable: Type.Boolean(),
  receives_events: Type.Boolean(),
  occluded_by: optional(Type.String()),
  /** Only when a click there reaches the element. */
  clickable_center: optional(Point),
});

const AttributesMatch = closed({
  tag_name: Type.String(),
  attributes: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
  visible: Type.Boolean(),
});

const Section = closed({
  index: Whole,
  tag_name: Type.String(),
  heading: Type.String(),
  text: Type.String(),
  scroll_y: Coordinate,
  top: Coordinate,
  bottom: Coordinate,
  height: Size,
  visible: Type.Boolean(),
  item_count: Whole,
});

export const DOM = [
  portable('dom.observe.visible', {
    summary:
      'Elements in the viewport by selector and text, with their position and whether a click reaches them.',
    effect: 'read',
    input: closed({ selector: optional(Selector), text_contains: optional(Phrase), ...NARROWING }),
    output: closed({ matches: Type.Array(VisibleMatch), match_count: Whole, error: optional(TooLarge) }),
    errors: ['target_not_found', 'capability_unavailable'],
    reasons: ['frame_not_found', 'frame_cross_origin', 'selector_refused'],
  }),
  portable('dom.observe.attributes', {
    summary:
      'Attributes of all elements that a selector matches, in view or not; "text" is the text content.',
    effect: 'read',
    input: closed({
      selector: Selector,
      attributes: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 40 }),
      text_contains: optional(Phrase),
      ...NARROWING,
    }),
    output: closed({
      matches: Type.Array(AttributesMatch),
      match_count: Whole,
      visible_count: Whole,
      error: optional(TooLarge),
    }),
    errors: ['target_not_found', 'capability_unavailable'],
    reasons: ['frame_not_found', 'frame_cross_origin', 'selector_refused'],
  }),
  portable('dom.snapshot_text', {
    summary: 'The plain text of a part of the page.',
    effect: 'read',
    input: closed({
      selector: optional(Selector),
      max_chars: optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    }),
    output: closed({ text: Type.String(), truncated: Type.Boolean() }),
    errors: ['target_not_found'],
    reasons: ['selector_refused'],
  }),
  portable('dom.list_sections', {
    summary: 'The sections of a page with their headings and scroll positions.',
    effect: 'read',
    input: closed({
      selector: optional(Selector),
      heading_selector: optional(Selector),
      item_selector: optional(Selector),
      text_contains: optional(Phrase),
      max_sections: optional(Type.Integer({ minimum: 1, maximum: 500 })),
      max_heading_length: optional(Type.Integer({ minimum: 12, maximum: 500 })),
    }),
    output: closed({
      sections: Type.Array(Section),
      section_count: Whole,
      scroll_y: Coordinate,
      viewport_height: Size,
      url: Type.String(),
    }),
    reasons: ['selector_refused'],
  }),
  portable('dom.focus', {
    summary: 'Focuses an element.',
    effect: 'act',
    input: closed({ locator: Locator }),
    output: closed({
      focused: Type.Boolean(),
      active_is_target: Type.Boolean(),
      selection_preserved: Type.Boolean(),
      selection_before_length: Whole,
      selection_after_length: Whole,
    }),
    errors: ['target_not_found'],
    reasons: ['frame_not_found', 'frame_cross_origin'],
  }),
] as const;
