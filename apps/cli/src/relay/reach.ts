import { networkInterfaces } from 'node:os';

export const DEFAULT_PORT = '7717';

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

type Address = { readonly address: string; readonly family: string; readonly internal: boolean };
type Interfaces = Readonly<Record<string, readonly Address[] | undefined>>;

/** The addresses at which others of the same network find a relay that listens on `host`. */
export function outsideAddresses(host: string, interfaces: Interfaces = networkInterfaces()): string[] {
  if (isLoopback(host)) return [];
  if (!isEverywhere(host)) return [host];
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}

/** Where a phone opens the relay; undefined when none of its addresses leaves this machine. */
export function phoneUrl(
  url: string,
  { host, proxyName }: { readonly host: string; readonly proxyName?: string | undefined },
): string | undefined {
  if (proxyName !== undefined) return `https://${proxyName}`;
  const [address] = outsideAddresses(host);
  if (address === undefined) return undefined;
  const { protocol, port } = new URL(url);
  return `${protocol}//${address.includes(':') ? `[${address}]` : address}${port === '' ? '' : `:${port}`}`;
}

/** For a person whose phone cannot reach this address. */
export const HOW_TO_REACH = `A phone cannot reach this address. To let it in:
  drawbridge up --host 0.0.0.0           in the same Wi-Fi
  drawbridge up --behind-proxy NAME      through a tunnel or a
                                         private network
docs/remote.md shows both.`;
