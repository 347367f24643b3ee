import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import type { FileContent } from '../host.ts';

/** Files of a person, brought by the relay in parts, in memory until their upload (BRG-193). */
export type BroughtFiles = ReturnType<typeof createBroughtFiles>;

interface BroughtFile {
  readonly name: string;
  readonly type: string;
  readonly parts: Uint8Array[];
  bytes: number;
}

const MAX_BYTES = 100 * 1_048_576;

export function createBroughtFiles(maxBytes = MAX_BYTES) {
  const files = new Map<string, BroughtFile>();
  return {
    /** Returns the bytes that are there so far. The part 0 begins the file again. */
    put({ attachment_id, name, type, part, base64 }: InputOf<'browser.files.put'>): number {
      const known = part === 0 ? undefined : files.get(attachment_id);
      const file = known ?? { name, type, parts: [], bytes: 0 };
      if (part !== file.parts.length) throw wrongPart(file.parts.length, part);
      const content = bytesOf(base64);
      files.delete(attachment_id);
      if (file.bytes + content.length > maxBytes) throw tooLarge(maxBytes);
      // Uploads that never came, as when a person refused, leave their files behind.
      for (const [oldest] of files)
        if (heldBy(files) + file.bytes + content.length > maxBytes) files.delete(oldest);
      file.parts.push(content);
      file.bytes += content.length;
      files.set(attachment_id, file);
      return file.bytes;
    },
    open(attachment_id: string): FileContent | undefined {
      const file = files.get(attachment_id);
      if (file === undefined) return undefined;
      const { name, type, bytes, parts } = file;
      return { name, type, bytes, read: async (from, length) => slice(parts, from, length) };
    },
    drop: (attachment_id: string): void => void files.delete(attachment_id),
  };
}

const heldBy = (files: ReadonlyMap<string, BroughtFile>): number =>
  [...files.values()].reduce((sum, { bytes }) => sum + bytes, 0);

function slice(parts: readonly Uint8Array[], from: number, length: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const part of parts) {
    const piece = part.subarray(Math.max(0, from - at), Math.max(0, from + length - at));
    if (piece.length > 0) pieces.push(piece);
    at += part.length;
  }
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    joined.set(piece, end);
    end += piece.length;
  }
  return joined;
}

function bytesOf(base64: string): Uint8Array {
  try {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    return bytes;
  } catch {
    throw new BridgeError('invalid_input', 'The part is not valid base64.', {
      evidence: { reason: 'wrong_value' },
    });
  }
}

const wrongPart = (expected: number, got: number): BridgeError =>
  new BridgeError('invalid_input', `Part ${expected} comes next, and not ${got}. Begin again with part 0.`, {
    evidence: { reason: 'wrong_part', expected, got },
  });

const tooLarge = (maxBytes: number): BridgeError =>
  new BridgeError('permission_denied', `A file for an upload may have ${maxBytes} bytes.`, {
    evidence: { reason: 'too_large' },
  });
