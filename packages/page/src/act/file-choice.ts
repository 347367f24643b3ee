import { isLabel, lineOf } from '../perceive/composed-tree.ts';
import { isInput } from '../secrets/secret-field.ts';
import { sendChange, viewOf } from './page-events.ts';
import { refusal } from './refusal.ts';

/** A file as data, with its bytes in base64; without them, those that came in parts before. */
export interface FileData {
  readonly name: string;
  readonly type?: string;
  readonly base64?: string;
}

/** Contents that are too long for one call, by the index of their file. */
export type FileParts = Map<number, Uint8Array<ArrayBuffer>[]>;

export function filesIn(
  view: Window & typeof globalThis,
  files: readonly FileData[],
  parts: FileParts,
): DataTransfer {
  const transfer = new view.DataTransfer();
  for (const [index, { name, type = '', base64 }] of files.entries()) {
    const content = base64 === undefined ? (parts.get(index) ?? []) : [bytesOf(base64)];
    transfer.items.add(new view.File(content, name, { type }));
  }
  return transfer;
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    return bytes;
  } catch {
    throw refusal('invalid_input', 'wrong_value', 'The contents of a file are not valid base64.');
  }
}

/** The file field of an element: itself, its label's, or the hidden one beside a "Choose" button. */
export function fileFieldOf(element: Element): HTMLInputElement | undefined {
  if (isFileField(element)) return element;
  if (isLabel(element) && element.control !== null && isFileField(element.control)) return element.control;
  for (const outer of lineOf(element)) {
    const fields = [...outer.querySelectorAll('input')].filter(isFileField);
    const hidden = fields.filter((field) => !field.checkVisibility() || field.tabIndex < 0);
    if (fields.length > 0)
      return fields.length === 1 ? fields[0] : hidden.length === 1 ? hidden[0] : undefined;
  }
  return undefined;
}

function isFileField(element: Element): element is HTMLInputElement {
  return isInput(element) && element.type === 'file';
}

/** Sets a field's files with the events of a person's choice; refuses files that the field would not offer. */
export function giveFiles(field: HTMLInputElement, files: readonly FileData[], parts: FileParts): void {
  if (files.length > 1 && !field.multiple) {
    const evidence = { given: files.length };
    throw refusal('invalid_input', 'wrong_value', 'This field takes one file only.', evidence);
  }
  const refused = files.find((file) => !isAccepted(file, field.accept));
  if (refused !== undefined) {
    const message = `This field takes ${field.accept}: one of the files is none.`;
    throw refusal('invalid_input', 'wrong_value', message, { accept: field.accept });
  }
  field.files = filesIn(viewOf(field), files, parts).files;
  sendChange(field);
}

/** https://html.spec.whatwg.org/multipage/input.html#attr-input-accept */
function isAccepted({ name, type = '' }: FileData, accept: string): boolean {
  const offers = accept.split(',').map((offer) => offer.trim().toLowerCase());
  return (
    offers.every((offer) => offer === '') ||
    offers.some((offer) => {
      if (offer.startsWith('.')) return name.toLowerCase().endsWith(offer);
      return offer.endsWith('/*') ? type.startsWith(offer.slice(0, -1)) : type === offer;
    })
  );
}
