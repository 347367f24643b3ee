import { Type } from 'typebox';
import { Url } from '../wire/fields.ts';
import { AttachmentId, closed, Done, optional, SavedFile, Size, Text, Whole } from './fields.ts';
import { kept, onMachine, privileged } from './primitive-spec.ts';

const TabId = Type.String({ minLength: 1, maxLength: 256 });

const Tab = closed({
  tab_id: TabId,
  runtime_key: optional(Type.String()),
  url: Type.String(),
  title: Type.String(),
  active: Type.Boolean(),
});

const Pixels = Type.Integer({ minimum: 16, maximum: 10_000 });

/** These need rights over the browser, which a page's own script lacks. */
export const BROWSER = [
  privileged('browser.screenshot', {
    summary:
      'A screenshot of the viewport, with secrets covered, and its scale: a point of the picture divided by it is a point of the viewport. `marks` writes their ids on the elements.',
    effect: 'read',
    input: closed({
      format: optional(Type.Enum(['png', 'jpeg'])),
      quality: optional(Type.Integer({ minimum: 1, maximum: 100 })),
      max_width: optional(Pixels),
      max_height: optional(Pixels),
      max_kilobytes: optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
      marks: optional(Type.Boolean()),
    }),
    output: closed({
      image: Type.String(),
      mime_type: Type.Enum(['image/png', 'image/jpeg']),
      width: Size,
      height: Size,
      scale: Size,
    }),
    errors: ['handler_failed'],
    reasons: ['picture_too_large'],
  }),
  privileged('browser.claimed_tabs.list', {
    summary: 'The lent tabs.',
    effect: 'read',
    input: closed({}),
    output: closed({ tabs: Type.Array(Tab) }),
  }),
  privileged('browser.claimed_tabs.activate', {
    summary: 'Brings one of the lent tabs to the front.',
    effect: 'act',
    input: closed({ tab_id: TabId }),
    output: closed({ activated: Done, tab_id: TabId }),
    errors: ['target_not_found'],
  }),
  privileged('browser.navigate', {
    summary:
      'Goes to an address in this tab or another lent one, or gets it again: `reload` sends no form again.',
    effect: 'act',
    mutates: true,
    input: closed({
      url: optional(Url),
      reload: optional(Type.Boolean()),
      back: optional(Type.Boolean()),
      tab_id: optional(TabId),
    }),
    output: closed({ navigated: Done, url: Type.String(), title: Type.String() }),
    errors: ['target_not_found', 'handler_failed', 'permission_denied'],
    reasons: ['address_refused', 'one_of_url_reload_back'],
  }),
  privileged('browser.open_tab', {
    summary: 'Opens a tab, which is lent at once.',
    effect: 'act',
    input: closed({ url: optional(Url), active: optional(Type.Boolean()) }),
    output: closed({ opened: Done, tab: Tab }),
    errors: ['handler_failed', 'permission_denied'],
    reasons: ['address_refused'],
  }),
  privileged('browser.close_tab', {
    summary: 'Closes a lent tab; never the last one.',
    effect: 'act',
    mutates: true,
    input: closed({ tab_id: optional(TabId) }),
    output: closed({ closed: Done, tab_id: TabId }),
    errors: ['target_not_found', 'permission_denied'],
    reasons: ['last_claimed_tab'],
  }),
  privileged('browser.dismiss_dialog', {
    summary:
      'Answers the alert, question or prompt that the page has opened; dismisses it unless told to accept.',
    effect: 'act',
    mutates: true,
    input: closed({ accept: optional(Type.Boolean()), prompt_text: optional(Text) }),
    output: closed({
      dismissed: Done,
      accepted: Type.Boolean(),
      dialog: Type.Enum(['alert', 'confirm', 'prompt', 'beforeunload']),
      message: Type.String(),
    }),
    reasons: ['no_dialog'],
  }),
  onMachine('browser.files.list', {
    summary: 'The files that pages of the lent tabs have saved, oldest first.',
    effect: 'read',
    input: closed({}),
    output: closed({ files: Type.Array(SavedFile) }),
  }),
  onMachine('browser.files.read', {
    summary: 'A part of a saved file. Parts with a secret of a page are refused.',
    effect: 'read',
    input: closed({
      attachment_id: AttachmentId,
      from: optional(Whole),
      length: optional(Type.Integer({ minimum: 1, maximum: 1_048_576 })),
    }),
    output: closed({ ...SavedFile.properties, from: Whole, base64: Type.String() }),
    errors: ['target_not_found', 'permission_denied'],
    reasons: ['holds_secret'],
  }),
  kept('browser.files.put', {
    summary:
      'Brings a part of a file for the next `element.upload` of its `attachment_id`. Parts come in order; the relay sends the files of a conversation this way.',
    effect: 'read',
    input: closed({
      attachment_id: AttachmentId,
      name: Type.String({ minLength: 1, maxLength: 255 }),
      type: Type.String({ maxLength: 255 }),
      part: Whole,
      base64: Type.String({ maxLength: 1_000_000 }),
    }),
    output: closed({ put: Done, bytes: Whole }),
    errors: ['permission_denied'],
    reasons: ['wrong_part', 'wrong_value', 'too_large'],
  }),
] as const;
