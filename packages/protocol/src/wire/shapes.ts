import type { TSchema } from 'typebox';
import { Id, Label, SafeId, SafeString, Timestamp, Url, UrlOfAPage } from './fields.ts';

/** The small types that every family uses, by the name that the reference gives them. */
export const WIRE_SHAPES = {
  id: Id,
  label: Label,
  url: Url,
  'page url': UrlOfAPage,
  'safe id': SafeString,
  identifier: SafeId,
  time: Timestamp,
} as const satisfies Record<string, TSchema>;
