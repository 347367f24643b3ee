import { Type } from 'typebox';
import { Id } from '../wire/fields.ts';
import { closed, optional, Phrase, Size, Whole } from './fields.ts';
import { privileged } from './primitive-spec.ts';

const Query = optional(Phrase);
const Limit = optional(Type.Integer({ minimum: 1, maximum: 300 }));
/** Left out because `limit` was reached; the oldest ones. */
const Omitted = Whole;

const Key = Type.String({ minLength: 1, maxLength: 256 });
const Value = optional(Type.String());

/** Developer tools. Each call needs the person's grant `inspect`; the values of storage keys need one each. */
export const INSPECT = [
  privileged('inspect.messages', {
    summary: 'Console messages and errors of the page, oldest first, with secrets masked.',
    effect: 'read',
    input: closed({ query: Query, limit: Limit }),
    output: closed({
      messages: Type.Array(
        closed({
          level: Type.String(),
          text: Type.String(),
          at: Type.String(),
          source: optional(Type.String()),
        }),
      ),
      omitted: Omitted,
    }),
    errors: ['permission_denied'],
  }),
  privileged('inspect.requests', {
    summary: 'Requests of the page, oldest first, with status and time; no headers. Secrets are masked.',
    effect: 'read',
    input: closed({ query: Query, limit: Limit }),
    output: closed({
      requests: Type.Array(
        closed({
          request_id: Id,
          method: Type.String(),
          url: Type.String(),
          type: Type.String(),
          /** Absent while it is pending, and when it failed before an answer. */
          status: optional(Whole),
          failure: optional(Type.String()),
          ms: optional(Size),
          bytes: optional(Whole),
        }),
      ),
      omitted: Omitted,
    }),
    errors: ['permission_denied'],
  }),
  privileged('inspect.body', {
    summary: 'The response body of a request, if it is text, with secrets masked.',
    effect: 'read',
    input: closed({ request_id: Id }),
    output: closed({
      request_id: Id,
      mime_type: Type.String(),
      body: Type.String(),
      length: Whole,
      truncated: Type.Boolean(),
    }),
    errors: ['permission_denied', 'target_not_found', 'handler_failed'],
    reasons: ['body_not_kept', 'body_not_text', 'body_pending'],
  }),
  privileged('inspect.storage', {
    summary:
      'Names of cookies and storage keys. Values only of the `keys` that the person allowed, never of HttpOnly cookies.',
    effect: 'read',
    input: closed({ keys: optional(Type.Array(Key, { maxItems: 20 })) }),
    output: closed({
      cookies: Type.Array(
        closed({
          name: Type.String(),
          http_only: Type.Boolean(),
          secure: optional(Type.Boolean()),
          same_site: optional(Type.String()),
          value: Value,
        }),
      ),
      local: Type.Array(closed({ name: Type.String(), length: Whole, value: Value })),
      session: Type.Array(closed({ name: Type.String(), length: Whole, value: Value })),
      /** Parts that this host cannot see. */
      unseen: optional(Type.String()),
    }),
    errors: ['permission_denied'],
  }),
] as const;
