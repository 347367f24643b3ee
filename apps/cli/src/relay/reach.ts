import { X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

export const DEFAULT_PORT = '7717';

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

type Address = { readonly address: string; readonly family: string; readonly internal: boolean };
type Interfaces = Readonly<Record<string, readonly Address[] | undefined>>;

/** Network addresses of a relay that listens on `host`. */
export function outsideAddresses(host: string, interfaces: Interfaces = networkInterfaces()): string[] {
  if (isLoopback(host)) return [];
  if (!isEverywhere(host)) return [host];
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}

/** As in a URL and in `Host`. Skips wildcards, which name no host. */
export function certifiedNames(pem: string): readonly string[] {
  const { subjectAltName = '' } = new X509Certificate(pem);
  return subjectAltName
    .split(', ')
    .flatMap((entry) => /^(?:DNS|IP Address):([^"*]+)$/.exec(entry)?.[1] ?? [])
    .map((name) => inUrl(name.toLowerCase()));
}

const inUrl = (name: string): string => (isIPv6(name) ? new URL(`http://[${name}]`).hostname : name);

export interface RelayAddress {
  readonly host: string;
  readonly proxyName?: string | undefined;
  /** Names in the owner's certificate. */
  readonly names?: readonly string[];
}

/** Allowed names in `Host`, without ports: the port is unknown before listening. */
export const hostNames = ({ host, proxyName, names = [] }: RelayAddress): string[] => [
  ...new Set([
    ...outsideAddresses(host).map(inUrl),
    ...names,
    ...(proxyName === undefined ? [] : [proxyName]),
  ]),
];

export function portOf(url: string): number {
  const { protocol, port } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** Address for a phone; undefined if only this machine can reach it. */
export function phoneUrl(url: string, { host, proxyName, names = [] }: RelayAddress): string | undefined {
  if (proxyName !== undefined) return `https://${proxyName}`;
  if (isLoopback(host)) return undefined;
  const name = [...names, ...outsideAddresses(host).map(inUrl)].find((each) => !isLoopback(each));
  if (name === undefined) return undefined;
  return new URL(`https://${name}:${portOf(url)}`).origin;
}

export const HOW_TO_REACH = `A phone can’t reach this address. To let it in,
stop the relay (Ctrl-C) and start it again as one of these:
  npm start -- --host 0.0.0.0            in the same Wi-Fi
  drawbridge up --host 0.0.0.0           the same, without npm
  drawbridge up --behind-proxy NAME      through a tunnel or a
                                         private network
docs/remote.md shows them.`;
