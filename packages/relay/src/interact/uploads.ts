import { randomUUID } from 'node:crypto';
import { RecentMap } from '@drawbridge/base';
import type { TaskFile } from '@drawbridge/brain';
import type { Attachment } from '@drawbridge/protocol';
import { plainName } from '../server/files/file-name.ts';
import { DOCUMENT_TYPES, type ReadDocument } from './document-text.ts';
import { InteractError } from './interact-error.ts';
import { invalid } from './interact-refusal.ts';

/** Files for a task, in memory: a client uploads one right before its task. */
export interface Uploads {
  readonly put: (device_id: string, file: File) => Promise<Attachment>;
  /** Throws when it is gone, or of another device. */
  readonly find: (device_id: string, attachment: Attachment) => TaskFile;
}

/** INT-333: a document is mostly fonts and pictures. */
export const UPLOAD_BYTES = 4_194_304;
/** INT-323: more than a model reads of it. */
const TEXT_BYTES = 262_144;
const MOST_DEVICES = 50;
const MOST_FILES = 4;
const TYPES: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['txt', 'text/plain'],
  ['xml', 'application/xml'],
  ...DOCUMENT_TYPES,
]);
const READ_TYPES: ReadonlySet<string> = new Set([...TYPES.values(), 'text/xml']);
const DOCUMENTS: ReadonlySet<string> = new Set(DOCUMENT_TYPES.values());

export function createUploads(readDocument: ReadDocument): Uploads {
  const devices = new RecentMap<string, RecentMap<string, TaskFile>>(MOST_DEVICES);
  return {
    async put(device_id, file) {
      if (file.size === 0) throw invalid('file', 'The file is empty.');
      if (file.size > UPLOAD_BYTES) throw TOO_LARGE;
      const filename = plainName(file.name);
      const mimeType = typeOf(filename, file.type);
      const isDocument = DOCUMENTS.has(mimeType);
      if (!isDocument && file.size > TEXT_BYTES) throw TOO_LONG;
      const bytes = new Uint8Array(await file.arrayBuffer());
      const text = isDocument ? await readDocument(mimeType, bytes) : textIn(bytes);
      if (text.length > TEXT_BYTES) throw TOO_LONG;
      const s3Key = `uploads/${randomUUID()}`;
      const files = devices.get(device_id) ?? new RecentMap<string, TaskFile>(MOST_FILES);
      devices.set(device_id, files.set(s3Key, { filename, mimeType, text }));
      return { s3Key, filename, mimeType, size: file.size };
    },
    find(device_id, { s3Key }) {
      const file = devices.get(device_id)?.get(s3Key);
      if (file !== undefined) return file;
      throw invalid('attachment.s3Key', 'The relay no longer has that file. Upload it again.');
    },
  };
}

/** Browsers know no type for some endings. */
function typeOf(filename: string, given: string): string {
  const ending = filename.split('.').at(-1)?.toLowerCase() ?? '';
  const type = given.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const known = READ_TYPES.has(type) ? type : TYPES.get(ending);
  if (known !== undefined) return known;
  throw invalid('file', 'The relay reads txt, md, csv, json, xml, pdf and docx. Send the text of this one.');
}

function textIn(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Not UTF-8: refused below.
  }
  throw invalid('file', 'The file is no UTF-8 text. Save it as UTF-8 and send it again.');
}

export const TOO_LARGE = new InteractError(
  'body_too_large',
  `A file may have ${UPLOAD_BYTES} bytes. Send less.`,
);
const TOO_LONG = new InteractError(
  'body_too_large',
  `The text of a file may have ${TEXT_BYTES} bytes. Send a part of it.`,
);
