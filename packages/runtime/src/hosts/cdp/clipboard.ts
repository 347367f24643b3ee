import { BridgeError } from '@drawbridge/protocol';
import type { Clipboard } from '../../host.ts';
import { type IsolatedWorld, runInWorld } from './isolated-world.ts';

const READ = `() => navigator.clipboard.readText()`;
const WRITE = `(text) => navigator.clipboard.writeText(text).then(() => '')`;

export type ClipboardUse = 'read' | 'write';

/** Grants an origin clipboard access for the duration of the work. */
export interface PermitClipboard {
  <T>(origin: string, use: ClipboardUse, work: () => Promise<T>): Promise<T>;
  /** The last text that an agent of this browser copied. */
  own?: string;
}

/** The clipboard of the current page, which needs a secure context. */
export function createClipboard(
  world: () => Promise<IsolatedWorld>,
  permit: PermitClipboard,
  url: () => string,
): Clipboard {
  const run = async (use: ClipboardUse, code: string, args: readonly unknown[]) => {
    const { origin, protocol } = new URL(url());
    if (protocol !== 'http:' && protocol !== 'https:') throw unavailable('this page has no origin');
    const ready = await world();
    try {
      // Without a user gesture, the browser allows writes only to pages that may read.
      const options = { userGesture: use === 'write' };
      return await permit(origin, use, () => runInWorld(ready, code, args, options));
    } catch (error) {
      throw error instanceof BridgeError && error.code === 'handler_failed'
        ? unavailable(error.message)
        : error;
    }
  };
  const read = () => run('read', READ, []);
  return {
    read,
    async write(text) {
      await run('write', WRITE, [text]);
      permit.own = text;
    },
    async own() {
      permit.own = await read();
    },
    isOwn: async () => permit.own !== undefined && (await read()) === permit.own,
  };
}

function unavailable(reason: string): BridgeError {
  const message = `The clipboard cannot be used here: ${reason}. Use it on a page with https or on loopback.`;
  return new BridgeError('capability_unavailable', message, { evidence: { capability: 'clipboard' } });
}
