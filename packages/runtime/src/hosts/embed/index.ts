import type { BridgeItem } from '@drawbridge/protocol';
import type { SurfaceHost } from '../../host.ts';
import { createInPageHost } from '../direct/in-page-host.ts';

/** The connection that whoever owns the page gives to the script. */
export interface EmbedLink {
  readonly send: (item: BridgeItem) => void;
  readonly onItem: (listener: (item: BridgeItem) => void) => () => void;
  readonly close: () => void;
}

/** What is made of a surface and its connection: a runtime. */
export type Serve = (host: SurfaceHost, link: EmbedLink) => { readonly close: () => Promise<void> };

export interface EmbedOptions {
  readonly window: Window & typeof globalThis;
  readonly connect: () => EmbedLink;
  readonly serve: Serve;
  /** Stays the same when the page is loaded again. */
  readonly runtimeKey?: string;
}

export interface Embed {
  readonly host: SurfaceHost;
  readonly close: () => Promise<void>;
}

const KEY = Symbol.for('drawbridge.embed');

/**
 * One script tag or bookmarklet: the page lends itself. Page script is all it has, and it says so: what takes
 * trusted input, pictures or tabs is not in its dictionary (BRG-95, BRG-96). A second start finds the first.
 */
export function startEmbed({ window, connect, serve, runtimeKey }: EmbedOptions): Embed {
  const running: unknown = Reflect.get(window, KEY);
  if (isEmbed(running)) return running;
  const host = createInPageHost({ kind: 'embed', window, runtimeKey: runtimeKey ?? keyOf(window) });
  const link = connect();
  const served = serve(host, link);
  let closing: Promise<void> | undefined;
  const end = async () => {
    Reflect.deleteProperty(window, KEY);
    await served.close();
    link.close();
    await host.close();
  };
  const embed: Embed = {
    host,
    close: () => {
      closing ??= end();
      return closing;
    },
  };
  Object.defineProperty(window, KEY, { value: embed, configurable: true });
  return embed;
}

const STORED = 'drawbridge.runtime_key';

/** Kept for the tab, where the page allows it: a sandboxed one may not even look at its storage. */
function keyOf(window: Window & typeof globalThis): string {
  const random = window.crypto.getRandomValues(new Uint8Array(12));
  const fresh = `embed:${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  try {
    const known = window.sessionStorage.getItem(STORED) ?? fresh;
    window.sessionStorage.setItem(STORED, known);
    return known;
  } catch {
    return fresh;
  }
}

const isEmbed = (value: unknown): value is Embed =>
  typeof value === 'object' && value !== null && 'host' in value && 'close' in value;
