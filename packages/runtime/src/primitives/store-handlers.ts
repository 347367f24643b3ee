import { BridgeError } from '@drawbridge/protocol';
import { originOf } from '../address/local-network.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerContext, lacking } from './handler-context.ts';
import type { Transfer } from './transfer-store.ts';

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
  'transfer.write': async (args, context) => {
    requireOwn(args.label, context);
    const { host, stores } = context;
    const { label, value } = stores.transfer.write(args, originOf(host.surface().url));
    return { written: true, label, length: value.length };
  },
  'transfer.read': async ({ label }, context) => transferOf(label, context),
  'transfer.insert': async ({ label, ...where }, context) =>
    context.inPage('text.insert', { ...where, text: transferOf(label, context).value }),
  'transfer.clear': async ({ label }, context) => {
    const { transfer } = context.stores;
    if (label !== undefined) requireOwn(label, context);
    const all = transfer.labels().filter((each) => transfer.originsOf(each).every(isOwn(context)));
    return { cleared: transfer.clear(label === undefined ? all : [label]) };
  },
};

function transferOf(label: string, context: HandlerContext): Transfer {
  requireOwn(label, context);
  const transfer = context.stores.transfer.read(label);
  if (transfer === undefined) throw unknownThing(`transfer ${label}`);
  return transfer;
}

/** Fails for a transfer that was written at a page of another origin than the agent's. */
function requireOwn(label: string, { stores, scope }: HandlerContext): void {
  for (const origin of stores.transfer.originsOf(label)) scope?.require(origin);
}

const isOwn =
  ({ scope }: HandlerContext) =>
  (origin: string): boolean =>
    scope?.has(origin) ?? true;

const unknownThing = (what: string): BridgeError =>
  new BridgeError('target_not_found', `There is no ${what}, or no longer. Write it first.`, {
    evidence: { what },
  });
