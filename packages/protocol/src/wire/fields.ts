import { type Static, type TSchema, Type } from 'typebox';
import { LIMITS } from './limits.ts';

/** An id, name or code chosen by a peer: any short non-empty string. */
export const Id = Type.String({ minLength: 1, maxLength: LIMITS.id.value });

/** A text for people: a title, a label, a reason. May be empty. */
export const Label = Type.String({ maxLength: LIMITS.label.value });

export const Url = Type.String({ minLength: 1, maxLength: LIMITS.url.value });

/** The address of a page, of any scheme: `https:`, `chrome:`, `about:`. */
export const UrlOfAPage = Type.String({
  pattern: '^[a-zA-Z][a-zA-Z0-9+.-]*:',
  maxLength: LIMITS.url.value,
  description: `an absolute URL of at most ${LIMITS.url.value} characters`,
});

/** An id that is safe in a path, a log and a channel name: a UUID, or `abc-123`. */
export const SafeString = Type.String({
  pattern: '^[A-Za-z0-9._:-]{1,200}$',
  description: 'an id of 1 to 200 letters, digits and . _ : -',
});

/** The identifiers of maps: ASCII words joined by dots, safe in logs and as keys. */
export const SAFE_IDENTIFIER = '^[a-zA-Z][a-zA-Z0-9_-]*(\\.[a-zA-Z][a-zA-Z0-9_-]*)*$';
export const SafeId = Type.String({
  pattern: SAFE_IDENTIFIER,
  maxLength: LIMITS.id.value,
  description:
    'a safe identifier: ASCII words that start with a letter, joined by dots, such as cart.add_item',
});

/** ISO 8601 in UTC, as written by `Date.prototype.toISOString` and Python's `isoformat`. */
export const Timestamp = Type.String({
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|\\+00:00)$',
  description: 'a time in UTC as ISO 8601 writes it, such as 2026-03-19T10:15:30.000Z',
});

export const Milliseconds = Type.Integer({ minimum: 0 });

export const Count = Type.Integer({ minimum: 0 });

/** Any JSON object, defined by another contract. */
export const AnyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object' });

/** An object whose keys a peer chooses, with values of one kind. */
export const MapOf = <Value extends TSchema>(value: Value) =>
  Type.Unsafe<Record<string, Static<Value>>>({ type: 'object', additionalProperties: value });
