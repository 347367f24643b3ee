import { Type } from 'typebox';
import { SemanticNodeV2, SemanticPage } from '../interact/semantic-tree.ts';
import { ExtractEntry } from '../manifest/inner-parts.ts';
import { AnyObject, Id, Url } from '../wire/fields.ts';
import { LIMITS } from '../wire/limits.ts';
import { Effect } from './element.ts';
import { closed, Locator, optional, Phrase, TimeoutMs, Whole } from './fields.ts';
import { portable } from './primitive-spec.ts';

const Budget = {
  max_tokens: optional(Type.Integer({ minimum: 1, maximum: 200_000 })),
  max_bytes: optional(Type.Integer({ minimum: 100, maximum: 1_000_000 })),
};

const Waiting = Type.Enum(['stable', 'text', 'text_gone', 'url', 'locator', 'locator_gone']);

export const PAGE = [
  portable('page.info', {
    summary: 'The address and the title of the page.',
    effect: 'read',
    input: closed({}),
    output: closed({ url: Type.String(), title: Type.String() }),
  }),
  portable('page.snapshot', {
    summary:
      "The page's actionable nodes with ids (semantic), the changes since a snapshot (delta), its structure (skeleton) or its HTML (full).",
    effect: 'read',
    input: closed({
      mode: optional(Type.Enum(['semantic', 'skeleton', 'full', 'delta'])),
      since: optional(Id),
      query: optional(Type.String({ maxLength: LIMITS.query.value })),
      ...Budget,
      region: optional(Id),
      scope: optional(Type.Enum(['viewport', 'page'])),
      context: optional(Type.Boolean()),
      form: optional(Type.Enum(['json', 'lines', 'full_keys', 'view'])),
      boxes: optional(Type.Boolean()),
    }),
    // The mode decides which fields are present; the semantic tree defines a node.
    output: Type.Object({
      mode: Type.Enum(['semantic', 'skeleton', 'full', 'delta']),
      snapshot_id: optional(Id),
      hash: optional(Id),
      page: optional(SemanticPage),
      context: optional(Type.Array(AnyObject)),
      frames: optional(Type.Array(AnyObject)),
      beyond: optional(Whole),
      closed_frames: optional(Type.Array(Type.String())),
      text: optional(Type.String()),
      semanticNodes: optional(Type.Array(SemanticNodeV2)),
      since: optional(Id),
      unchanged: optional(Type.Boolean()),
      significant: optional(Type.Boolean()),
      diff: optional(AnyObject),
      full: optional(AnyObject),
      html: optional(Type.String()),
      truncated: optional(Type.Boolean()),
      /** Changes since the report of the last act. */
      late: optional(Effect),
    }),
    reasons: ['since_missing'],
  }),
  portable('page.read', {
    summary: "The page's text as Markdown within a budget; links and buttons have their ids.",
    effect: 'read',
    input: closed({ region: optional(Id), from: optional(Whole), ...Budget }),
    output: closed({ text: Type.String(), next: optional(Whole), blocks: Whole }),
  }),
  portable('page.wait', {
    summary:
      'Waits until the page is idle, a text or an element appears or disappears, or the address matches.',
    effect: 'read',
    input: closed({
      for: Waiting,
      text: optional(Phrase),
      url_contains: optional(Phrase),
      locator: optional(Locator),
      quiet_ms: optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
      timeout_ms: optional(TimeoutMs),
    }),
    output: closed({
      matched: Type.Literal(true),
      for: Waiting,
      elapsed_ms: Whole,
      url: Type.String(),
      /** The text has come since the last answer, and gone again. */
      gone: optional(Type.Boolean()),
      /** Changes since the report of the last act. */
      late: optional(Effect),
    }),
    errors: ['target_not_found', 'capability_unavailable'],
    reasons: ['timeout', 'frame_not_found', 'frame_cross_origin'],
  }),
  portable('page.extract', {
    summary: 'Reads records from the page, with the entries of a state projection.',
    effect: 'read',
    input: closed({ entries: Type.Array(ExtractEntry, { minItems: 1, maxItems: 50 }) }),
    output: closed({
      url: Type.String(),
      title: Type.String(),
      records: AnyObject,
      selector_counts: AnyObject,
      missing_required_fields: Type.Array(Type.String()),
    }),
    reasons: ['selector_refused', 'invalid_selector'],
  }),
  portable('page.fetch', {
    summary: "Fetches an address of the same origin, with the signed-in person's cookies.",
    effect: 'act',
    input: closed({ url: Url }),
    output: closed({
      ok: Type.Boolean(),
      status: Type.Integer(),
      content_type: Type.String(),
      length: Whole,
      body: Type.String(),
      truncated: Type.Boolean(),
    }),
    errors: ['permission_denied', 'handler_failed'],
    reasons: ['page_fetch_cross_origin', 'page_fetch_failed'],
  }),
] as const;
