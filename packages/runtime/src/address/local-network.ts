import { isPublicAddress } from '@drawbridge/manifest/public-address';

/** Origins of private networks: each is asked about once, unless a person opened or lent it themselves (BRG-175). */
export interface LocalNetwork {
  /** Whether a call may go there, or be answered from there, without a question. */
  readonly isOpen: (url: string) => boolean;
  /** Opens the origin of this address for the session. */
  readonly open: (url: string) => void;
}

export function createLocalNetwork(
  opened: Iterable<string> = [],
  onOpened: (origins: readonly string[]) => void = () => {},
): LocalNetwork {
  const origins = new Set(opened);
  return {
    isOpen: (url) => !isLocalAddress(url) || origins.has(new URL(url).origin),
    open(url) {
      if (!isLocalAddress(url)) return;
      const { origin } = new URL(url);
      if (origins.has(origin)) return;
      origins.add(origin);
      onOpened([...origins]);
    },
  };
}

/** Names that no public DNS resolves, or that never leave a network: RFC 6761, RFC 6762, RFC 8375, `.internal` (ICANN 2024). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;

/** A public name that resolves to a private address is not known as one here. */
export function isLocalAddress(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false;
  const name = parsed.hostname.toLowerCase().replace(/\.+$/, '');
  const address = name.replace(/^\[(.*)\]$/, '$1');
  if (address !== name || /^\d+(?:\.\d+){3}$/.test(name)) return !isPublicAddress(address);
  return !name.includes('.') || LOCAL_NAME.test(name);
}
