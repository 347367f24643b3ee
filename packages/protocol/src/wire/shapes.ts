import type { TSchema } from 'typebox';
import { Id, Label, SafeId, SafeString, Timestamp, Url, UrlOfAPage } from './fields.ts';

/** The small types of every family, by their name in the reference. */
export const WIRE_SHAPES = {
  id: Id,
  label: Label,
  url: Url,
  'page url': UrlOfAPage,
  'safe id': SafeString,
  identifier: SafeId,
  time: Timestamp,
} as const satisfies Record<string, TSchema>;
