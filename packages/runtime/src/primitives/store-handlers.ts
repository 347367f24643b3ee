import { BridgeError } from '@drawbridge/protocol';
import type { HandlersOf } from './handler.ts';
import { lacking } from './handler-context.ts';

const READ_BYTES = 64_000;

export const STORE_HANDLERS: HandlersOf<'storage.' | 'transfer.'> = {
  'storage.read_file': async ({ path, id, max_bytes = READ_BYTES }, { stores, host }) => {
    if (stores.files === undefined)
      throw lacking('storage', host, 'Start the runtime with a storage folder.');
    if ((path === undefined) === (id === undefined)) {
      const message = 'Name the file by `path` or by `id`, and not by both.';
      throw new BridgeError('invalid_input', message, {
        evidence: { path: 'path', reason: 'one_of_path_id' },
      });
    }
    const file = await stores.files.read(path === undefined ? { id: id ?? '' } : { path });
    if (file === undefined) throw unknownThing(`file ${path ?? id}`);
    const bytes = new TextEncoder().encode(file.content);
    const truncated = bytes.length > max_bytes;
    // Drops a character that the cut split.
    const kept = truncated
      ? new TextDecoder().decode(bytes.subarray(0, max_bytes)).replace(/\uFFFD+$/, '')
      : file.content;
    return { path: file.path, content: kept, bytes: bytes.length, truncated };
  },
  'transfer.write': async (args, { stores }) => {
    const { label, value } = stores.transfer.write(args);
    return { written: true, label, length: value.length };
  },
  'transfer.read': async ({ label }, { stores }) => {
    const transfer = stores.transfer.read(label);
    if (transfer === undefined) throw unknownThing(`transfer ${label}`);
    return transfer;
  },
  'transfer.insert': async ({ label, ...where }, context) => {
    const transfer = context.stores.transfer.read(label);
    if (transfer === undefined) throw unknownThing(`transfer ${label}`);
    return context.inPage('text.insert', { ...where, text: transfer.value });
  },
  'transfer.clear': async ({ label }, { stores }) => ({ cleared: stores.transfer.clear(label) }),
};

const unknownThing = (what: string): BridgeError =>
  new BridgeError('target_not_found', `There is no ${what}, or no longer. Write it first.`, {
    evidence: { what },
  });
