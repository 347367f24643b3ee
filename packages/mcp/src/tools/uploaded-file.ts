import { fileURLToPath } from 'node:url';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';

type UploadedFile = InputOf<'element.upload'>['files'][number];

const DATA = /^data:([\w.+/-]*)(?:;[\w=.+-]+)*;base64,/;

/** A step's `value` as a file: content as a `data:` address, an attachment, a path, or else its text. */
export function fileOf(value: string, name: string): UploadedFile {
  const [, attachment_id] = /^(?:drawbridge:\/\/files\/)?(file_[\w-]+)$/.exec(value) ?? [];
  if (attachment_id !== undefined) return { attachment_id };
  if (URL.canParse(value) && value.startsWith('file://')) return { path: fileURLToPath(value) };
  // A text of one line that is an absolute path is one; no page asks for a file with such a content.
  if (/^(?:\/[^/*]|[A-Za-z]:\\)[^\n]{0,4000}$/.test(value)) return { path: value };
  const [head, type = ''] = DATA.exec(value) ?? [];
  if (head === undefined) return { name: name || 'file.txt', base64: Buffer.from(value).toString('base64') };
  if (name === '') throw new BridgeError('invalid_input', 'upload of `data:` needs `file`, its name.');
  return { name, type, base64: value.slice(head.length) };
}
