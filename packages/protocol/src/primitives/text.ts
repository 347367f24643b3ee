import { Type } from 'typebox';
import { Chord, closed, Done, Fidelity, Left, Locator, Modifiers, optional, Text, Whole } from './fields.ts';
import { mixed, portable } from './primitive-spec.ts';

export const TEXT = [
  mixed('keyboard.press', {
    summary: 'Presses a key or a chord such as Control+End on the focused element.',
    effect: 'act',
    mutates: true,
    input: closed({
      key: Chord,
      modifiers: optional(Modifiers),
      trusted: optional(Type.Boolean()),
      /** 0 presses nothing, so that a computed count needs no condition. */
      repeat: optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
    }),
    output: closed({
      pressed: Done,
      key: Type.String(),
      modifiers: Modifiers,
      fidelity: Fidelity,
      repeat: Whole,
      left: optional(Left),
    }),
    errors: ['capability_unavailable'],
  }),
  portable('text.insert', {
    summary:
      'Writes into a field, an editor, a list of options or a checkbox ("true" or "false"): the located one, or the one with the focus.',
    effect: 'act',
    mutates: true,
    input: closed({
      text: Text,
      target: optional(Locator),
      mode: optional(Type.Enum(['append', 'replace'])),
    }),
    output: closed({
      inserted: Type.Boolean(),
      inserted_length: Whole,
      input_method: Type.Enum(['native-value-setter+input', 'keyboard', 'editor', 'option', 'check']),
    }),
    errors: ['target_not_found', 'handler_failed'],
    reasons: ['not_editable', 'insert_failed', 'disabled', 'hidden', 'wrong_value', 'no_focus'],
  }),
  mixed('text.type', {
    summary: 'Types into the focused element; select_back_chars replaces the last typed characters.',
    effect: 'act',
    mutates: true,
    input: closed({
      text: Text,
      trusted: optional(Type.Boolean()),
      mode: optional(Type.Enum(['append', 'replace'])),
      select_back_chars: optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
    }),
    output: closed({ typed: Done, typed_length: Whole, fidelity: Fidelity }),
    errors: ['capability_unavailable', 'target_not_found', 'handler_failed'],
    reasons: ['no_focus', 'not_editable'],
  }),
  portable('text.select', {
    summary: 'Selects the whole text of an element, or of the focused field.',
    effect: 'act',
    input: closed({ target: optional(Locator), mode: optional(Type.Literal('all')) }),
    output: closed({ selected: Done, selected_length: Whole }),
    errors: ['target_not_found'],
    reasons: ['no_focus'],
  }),
] as const;

const REFUSED = { errors: ['capability_unavailable'], reasons: ['clipboard_refused'] } as const;

export const CLIPBOARD = [
  mixed('clipboard.read', {
    summary: 'Reads the text on the clipboard.',
    effect: 'act',
    input: closed({}),
    output: closed({ text: Type.String() }),
    ...REFUSED,
  }),
  mixed('clipboard.write', {
    summary: 'Puts text on the clipboard.',
    effect: 'act',
    input: closed({ text: Text }),
    output: closed({ written: Done, length: Whole }),
    ...REFUSED,
  }),
  mixed('clipboard.copy', {
    summary: 'Copies the selection to the clipboard; never from a secret field.',
    effect: 'act',
    input: closed({}),
    output: closed({ copied: Done, length: Whole, text: Type.String() }),
    errors: [...REFUSED.errors, 'permission_denied'],
    reasons: [...REFUSED.reasons, 'nothing_selected', 'secret_field'],
  }),
  mixed('clipboard.paste', {
    summary: 'Pastes the given text or HTML, else the clipboard, into an element or the focused one.',
    effect: 'act',
    mutates: true,
    input: closed({ text: optional(Text), html: optional(Text), target: optional(Locator) }),
    output: closed({
      pasted: Done,
      length: Whole,
      /** Whether the page handled the paste itself, or the text was inserted into the field. */
      taken_by: Type.Enum(['page', 'field']),
      /** The same three under the names of the actions.json project. */
      default_prevented: Type.Boolean(),
      html_provided: Type.Boolean(),
      inserted_length: Whole,
    }),
    errors: [...REFUSED.errors, 'target_not_found', 'handler_failed'],
    reasons: [...REFUSED.reasons, 'no_focus', 'not_editable'],
  }),
] as const;
