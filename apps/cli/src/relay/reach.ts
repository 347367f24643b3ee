import { X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

export const DEFAULT_PORT = '7717';

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

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

/** As they stand in a URL and in `Host`. A wildcard names nothing that anybody could be told. */
export function certifiedNames(pem: string): readonly string[] {
  const { subjectAltName = '' } = new X509Certificate(pem);
  return subjectAltName
    .split(', ')
    .flatMap((entry) => /^(?:DNS|IP Address):([^"*]+)$/.exec(entry)?.[1] ?? [])
    .map((name) => inUrl(name.toLowerCase()));
}

const inUrl = (name: string): string => (isIPv6(name) ? new URL(`http://[${name}]`).hostname : name);

export interface Place {
  readonly host: string;
  readonly proxyName?: string | undefined;
  /** Those of the owner's own certificate. */
  readonly names?: readonly string[];
}

/** The names that may stand in `Host`, without ports: which one we get is not known before we listen. */
export const hostNames = ({ host, proxyName, names = [] }: Place): string[] => [
  ...new Set([
    ...outsideAddresses(host).map(inUrl),
    ...names,
    ...(proxyName === undefined ? [] : [proxyName]),
  ]),
];

/** Where a phone opens the relay; undefined when none of its addresses leaves this machine. */
export function phoneUrl(url: string, { host, proxyName, names = [] }: Place): string | undefined {
  if (proxyName !== undefined) return `https://${proxyName}`;
  if (isLoopback(host)) return undefined;
  const name = [...names, ...outsideAddresses(host).map(inUrl)].find((each) => !isLoopback(each));
  if (name === undefined) return undefined;
  const { protocol, port } = new URL(url);
  return `${protocol}//${name}${port === '' ? '' : `:${port}`}`;
}

/** For a person whose phone cannot reach this address. */
export const HOW_TO_REACH = `A phone can’t reach this address. To let it in:
  drawbridge up --host 0.0.0.0           in the same Wi-Fi
  drawbridge up --behind-proxy NAME      through a tunnel or a
                                         private network
docs/remote.md shows both.`;
