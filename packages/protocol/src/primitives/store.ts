import { Type } from 'typebox';
import { AnyObject, Id } from '../wire/fields.ts';
import { Coordinate, closed, Done, Locator, optional, Text, Whole } from './fields.ts';
import { kept, portable } from './primitive-spec.ts';

const Format = Type.Enum(['text/plain', 'application/json', 'text/uri-list']);
const Html = Type.String({ maxLength: 200_000 });

export const STORE = [
  kept('storage.read_file', {
    summary: "A file in this site's storage, by path or by id.",
    effect: 'read',
    input: closed({
      path: optional(Type.String({ minLength: 1, maxLength: 1_024 })),
      id: optional(Id),
      max_bytes: optional(Type.Integer({ minimum: 1, maximum: 256_000 })),
    }),
    output: closed({ path: Type.String(), content: Type.String(), bytes: Whole, truncated: Type.Boolean() }),
    errors: ['target_not_found'],
    reasons: ['one_of_path_id'],
  }),
  kept('transfer.write', {
    summary: 'Stores a value under a label, to be inserted on another page.',
    effect: 'act',
    input: closed({
      label: Id,
      format: optional(Format),
      value: Text,
      metadata: optional(AnyObject),
      ttl_seconds: optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
      mode: optional(Type.Enum(['replace', 'append'])),
    }),
    output: closed({ written: Done, label: Id, length: Whole }),
    reasons: ['transfer_too_large'],
  }),
  kept('transfer.read', {
    summary: 'The value stored under a label.',
    effect: 'read',
    input: closed({ label: Id }),
    output: closed({ label: Id, format: Format, value: Type.String(), metadata: optional(AnyObject) }),
    errors: ['target_not_found'],
  }),
  kept('transfer.insert', {
    summary: 'Inserts the value stored under a label into a field, like text.insert.',
    effect: 'act',
    mutates: true,
    input: closed({
      label: Id,
      target: optional(Locator),
      mode: optional(Type.Enum(['append', 'replace'])),
    }),
    output: closed({ inserted: Type.Boolean(), inserted_length: Whole, input_method: Type.String() }),
    errors: ['target_not_found', 'handler_failed'],
    reasons: ['not_editable', 'no_focus'],
  }),
  kept('transfer.clear', {
    summary: 'Deletes the value stored under a label, or all of them.',
    effect: 'act',
    input: closed({ label: optional(Id) }),
    output: closed({ cleared: Whole }),
  }),
] as const;

/** Names of the actions.json project for the window of its agent; here they mean our overlays. The page stays as it is. */
const overlayMenu = <Name extends string>(name: Name, summary: string) =>
  portable(name, { summary, effect: 'read', input: closed({}), output: closed({ overlays: Whole }) });

export const OVERLAY = [
  portable('overlay.open', {
    summary: 'Shows HTML in an overlay on the page, without scripts and isolated from the page’s own.',
    effect: 'act',
    input: closed({
      html: Html,
      title: optional(Type.String({ maxLength: 200 })),
      width: optional(Type.Integer({ minimum: 420, maximum: 1_400 })),
      height: optional(Type.Integer({ minimum: 320, maximum: 1_000 })),
    }),
    output: closed({ opened: Done, overlay_id: Id, width: Whole, height: Whole }),
    errors: ['capability_unavailable'],
    reasons: ['page_forbids_html'],
  }),
  portable('overlay.close', {
    summary: 'Closes an overlay from overlay.open, or all of them.',
    effect: 'act',
    input: closed({ overlay_id: optional(Id) }),
    output: closed({ closed: Whole }),
  }),
  overlayMenu(
    'overlay.menu.hide',
    'Hides the overlays from overlay.open, which would receive presses meant for the page.',
  ),
  overlayMenu('overlay.menu.show', 'Shows hidden overlays again.'),
  overlayMenu('overlay.menu.collapse', 'Reduces the overlays to their title bars.'),
  overlayMenu('overlay.menu.expand', 'Shows the contents of collapsed overlays again.'),
  portable('overlay.menu.move', {
    summary: 'Moves the overlays to a corner of the window, or to a point of it.',
    effect: 'read',
    input: closed({
      corner: optional(Type.Enum(['top-left', 'top-right', 'bottom-left', 'bottom-right'])),
      x: optional(Coordinate),
      y: optional(Coordinate),
    }),
    output: closed({ overlays: Whole }),
  }),
] as const;
