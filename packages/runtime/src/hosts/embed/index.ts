import type { ItemLink, LinkState } from '@drawbridge/link';
import { BridgeError } from '@drawbridge/protocol';
import { createInPageHost } from '../direct/in-page-host.ts';
import { type ConnectPage, type LendOptions, type LentPage, lendPage } from '../direct/lent-page.ts';
import { newPageId } from '../direct/page-id.ts';
import { type BridgeAddress, connectBridge } from './bridge-link.ts';

export interface EmbedOptions extends LendOptions {
  /** The bridge's address, or a factory for a custom link. */
  readonly bridge: BridgeAddress | (() => ItemLink);
  /** The page to lend; by default the one that holds the script. */
  readonly window?: Window & typeof globalThis;
  /** Unchanged across reloads; by default stored for the tab. */
  readonly runtimeKey?: string;
  /** Reports the connection state: a refused token ends it with `closed`. */
  readonly onState?: (state: LinkState) => void;
  /** Reports items that were not sent or may not have arrived. */
  readonly onProblem?: (error: BridgeError) => void;
}

export type Embed = LentPage;

const KEY = Symbol.for('drawbridge.embed');

/**
 * Lends the page from one script tag or bookmarklet. Limited to page script: primitives that need trusted
 * input, screenshots or tabs are not in its dictionary (BRG-95, BRG-96). A second start returns the first.
 */
export function startEmbed(options: EmbedOptions): Embed {
  const { bridge, window: page = window, runtimeKey = keyOf(page), onState, onProblem, ...lending } = options;
  const running: unknown = Reflect.get(page, KEY);
  if (isEmbed(running)) return running;
  const link = typeof bridge === 'function' ? bridge() : connectBridge(bridge);
  const host = createInPageHost({ kind: 'embed', window: page, runtimeKey });
  const lent = lendPage(host, over(link, onProblem), lending);
  // Disconnects at once: otherwise the bridge would keep the runtime for a minute and send calls to it.
  const leave = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) link.close();
  };
  const embed: Embed = {
    ...lent,
    close: () => {
      page.removeEventListener('pagehide', leave);
      if (Reflect.get(page, KEY) === embed) Reflect.deleteProperty(page, KEY);
      return lent.close();
    },
  };
  link.onState((state) => {
    onState?.(state);
    if (state.kind === 'closed') void embed.close();
  });
  page.addEventListener('pagehide', leave);
  Object.defineProperty(page, KEY, { value: embed, configurable: true });
  return embed;
}

const over =
  (link: ItemLink, onProblem: EmbedOptions['onProblem']): ConnectPage =>
  (receive, announce) => {
    link.onItem(receive);
    link.onState((state) => {
      if (state.kind === 'open' && !state.resumed) announce();
    });
    link.onProblem(({ error }) => onProblem?.(error));
    return {
      close: link.close,
      send: (item) => {
        // The bridge has ended the calls of a closed link.
        if (link.state.kind === 'closed') return;
        try {
          link.send(item);
        } catch (error) {
          // The item is too large, or too many wait for the bridge: the page must not fail over it.
          if (error instanceof BridgeError) onProblem?.(error);
          else throw error;
        }
      },
    };
  };

const STORED = 'drawbridge.runtime_key';

/** Stored for the tab where the page allows it: a sandboxed page may not access its storage. */
function keyOf(page: Window): string {
  const fresh = `embed:${newPageId()}`;
  try {
    const known = page.sessionStorage.getItem(STORED) ?? fresh;
    page.sessionStorage.setItem(STORED, known);
    return known;
  } catch {
    return fresh;
  }
}

const isEmbed = (value: unknown): value is Embed =>
  typeof value === 'object' && value !== null && 'host' in value && 'close' in value;

export { type BookmarkletOptions, bookmarklet } from './bookmarklet.ts';
export type { BridgeAddress } from './bridge-link.ts';
