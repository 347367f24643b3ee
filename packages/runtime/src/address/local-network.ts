import { isPublicAddress } from '@drawbridge/manifest/public-address';
import { BridgeError } from '@drawbridge/protocol';

/**
 * Origins of private networks. A person is asked about each once, unless they opened or lent it themselves
 * (BRG-175).
 */
export interface LocalNetwork {
  /** Whether a call may go to this address, or be answered from it, without a question. */
  readonly isOpen: (url: string) => boolean;
  readonly open: (url: string) => void;
  /** Records that the name in this address resolved to a private address. */
  readonly notePrivate: (url: string) => void;
}

export function createLocalNetwork(
  opened: Iterable<string> = [],
  onOpened: (origins: readonly string[]) => void = () => {},
): LocalNetwork {
  const origins = new Set(opened);
  const resolved = new Set<string>();
  return {
    isOpen(url) {
      if (!isLocalAddress(url) && (resolved.size === 0 || !resolved.has(originOf(url)))) return true;
      return origins.has(originOf(url));
    },
    // Public names too: such a name may resolve to a private address, which shows only on the next load.
    open(url) {
      const origin = originOf(url);
      if (origin === 'null' || origins.has(origin)) return;
      origins.add(origin);
      onOpened([...origins]);
    },
    notePrivate: (url) => void resolved.add(originOf(url)),
  };
}

/** For a browser whose tabs nobody lends to an agent: a window of an editor. */
export const wholeNetwork: LocalNetwork = { isOpen: () => true, open: () => {}, notePrivate: () => {} };

/** Pages with an opaque origin (`about:blank`, `data:`) all count as the same unknown origin. */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? 'null';

/** Fails when the tab is not at the origin that a call was permitted for. */
export function requireOrigin(name: string, granted: string, url: string): void {
  const origin = originOf(url);
  if (origin === granted) return;
  const message = `${name} was meant for ${granted}, and the tab is at ${origin} now. Look at the page, then ask again.`;
  throw new BridgeError('state_mismatch', message, { evidence: { granted_origin: granted, origin } });
}

/** The error for input into a frame at a private address that nobody opened. */
export function closedFrameRefused(origin: string): BridgeError {
  const message = `This is in a frame of ${origin}, an address in the person’s own network. It is read and used once they agree: press in it to ask them.`;
  return new BridgeError('permission_denied', message, {
    evidence: { reason: 'local_network', origin, frame: true },
  });
}

/** The origin of the closed frame at which a call failed. */
export function closedFrameOf(error: unknown): string | undefined {
  if (!(error instanceof BridgeError)) return undefined;
  const { reason, origin, frame } = error.evidence;
  return reason === 'local_network' && frame === true ? String(origin) : undefined;
}

/** Names that no public DNS resolves, or that never leave a network: RFC 6761, RFC 6762, RFC 8375, `.internal` (ICANN 2024). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;

/** Judges by the address alone; only the loader knows that a public name resolves to a private address. */
export function isLocalAddress(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false;
  const name = parsed.hostname.toLowerCase().replace(/\.+$/, '');
  const address = name.replace(/^\[(.*)\]$/, '$1');
  if (address !== name || /^\d+(?:\.\d+){3}$/.test(name)) return !isPublicAddress(address);
  return !name.includes('.') || LOCAL_NAME.test(name);
}
