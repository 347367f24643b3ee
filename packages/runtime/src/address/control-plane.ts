import { BridgeError } from '@drawbridge/protocol';

/**
 * Recognizes the relay's own pages. Agents may not call, navigate to, fetch or frame them under any grant:
 * the web app there answers questions about the agent's own actions.
 */
export interface ControlPlane {
  readonly has: (url: string) => boolean;
  /** Adds `Host` values of the relay: `127.0.0.1:7717`, `relay.example`. */
  readonly learn: (hosts: readonly string[]) => void;
  readonly hosts: () => readonly string[];
  /** Runs after new names are learned, because an open tab may already show one of them. */
  readonly onChange: (listener: () => void) => () => void;
}

/** Refused on every port, because cookies ignore ports (RFC 6265, 8.5). */
const OWN_NAME = 'drawbridge.localhost';
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

export function createControlPlane(hosts: readonly string[] = []): ControlPlane {
  const names = new Set<string>();
  const loopbackPorts = new Set<string>();
  const listeners = new Set<() => void>();

  const add = (host: string): boolean => {
    // A host without a port matches the default port of either scheme.
    const urls = [URL.parse(`http://${host}`), URL.parse(`https://${host}`)];
    const size = names.size;
    for (const url of urls) {
      if (url === null) continue;
      const { name, port } = addressOf(url);
      names.add(`${name}:${port}`);
      if (isLoopbackName(name)) loopbackPorts.add(port);
    }
    return names.size > size;
  };
  for (const host of hosts) add(host);

  return {
    has(address) {
      const url = webAddress(address);
      if (url === undefined) return false;
      const { name, port } = addressOf(url);
      if (name === OWN_NAME || name.endsWith(`.${OWN_NAME}`)) return true;
      return names.has(`${name}:${port}`) || (loopbackPorts.has(port) && isLoopbackName(name));
    },
    hosts: () => [...names],
    learn(more) {
      const added = more.filter(add);
      if (added.length > 0) for (const listener of [...listeners]) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** `blob:` and `filesystem:` addresses belong to the origin inside them. */
function webAddress(address: string): URL | undefined {
  const url = URL.parse(
    address.replace(/^(?:blob|filesystem|view-source):/i, '').replace(/^ws(s?:)/i, 'http$1'),
  );
  return url !== null && url.protocol in DEFAULT_PORTS ? url : undefined;
}

/** `URL` has already normalized other spellings of an IPv4 address (`0x7f.1`, `2130706433`). */
function addressOf(url: URL): { readonly name: string; readonly port: string } {
  return { name: url.hostname.toLowerCase().replace(/\.+$/, ''), port: portOf(url) };
}

const portOf = ({ port, protocol }: URL): string => port || (DEFAULT_PORTS[protocol] ?? '');

/** Names that reach this machine; connecting to `0.0.0.0` or `[::]` does too. */
function isLoopbackName(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (name === '0.0.0.0' || /^127(?:\.\d{1,3}){3}$/.test(name)) return true;
  return /^\[::(?:1|(?:ffff:(?:0:)?)?(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0))?\]$/.test(name);
}

/** The error for a call that would go to the relay. */
export function relayAddressRefused(): BridgeError {
  const message =
    'That is an address of the relay, where no agent may go. Continue elsewhere, or ask the person to do it there.';
  return new BridgeError('permission_denied', message, { evidence: { reason: 'control_plane' } });
}

/** The error for a call in a tab that has moved to the relay. */
export function relayTabRefused(): BridgeError {
  const message =
    'The tab moved to a page of the relay, so it is no longer lent. Continue in another tab (browser.claimed_tabs.list), or ask the person to lend one.';
  return new BridgeError('permission_denied', message, { evidence: { reason: 'control_plane' } });
}

export const isControlPlaneError = (error: unknown): error is BridgeError =>
  error instanceof BridgeError && error.evidence['reason'] === 'control_plane';
