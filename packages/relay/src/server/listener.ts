import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, isIPv6, type Socket } from 'node:net';
import { isLoopback } from './guard/credentials.ts';
import { isWebSocket } from './guard/open-paths.ts';
import type { ParseGuard } from './guard/parse-guard.ts';
import type { GuardOptions } from './guard/request-origin.ts';
import type { RelayOptions } from './options.ts';
import type { Certificate } from './tls.ts';

/** Closes a socket that sends nothing, or one byte at a time. */
const HEADERS_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

export function refuseOpenAddress(host: string, { tls, trustedProxy = false }: RelayOptions): void {
  if (isLoopback(host) || tls !== undefined || trustedProxy) return;
  throw new Error(
    `Refusing to listen on ${host}: others could read along, tokens included. Give it TLS (a certificate, or a ` +
      'self-signed one), say that a proxy with TLS stands in front, or listen on 127.0.0.1.',
  );
}

export interface ListenOptions {
  readonly certificate: Certificate | undefined;
  readonly parsing: ParseGuard;
}

export interface Listener {
  readonly server: Server;
  readonly port: number;
  /** Ends connections without a finished TLS handshake: `server.close` waits for them, and closes none. */
  readonly dropHandshakes: () => void;
}

export async function listen(
  { certificate, parsing }: ListenOptions,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listener> {
  const options = {
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: HEADERS_MS / 2,
    maxHeaderSize: MAX_HEADER_BYTES,
    shouldUpgradeCallback: isWebSocket,
    IncomingMessage: parsing.IncomingMessage,
  };
  const server =
    certificate === undefined ? createServer(options) : createSecureServer({ ...options, ...certificate });
  parsing.watch(server, certificate === undefined ? 'connection' : 'secureConnection');
  const dropHandshakes = certificate === undefined ? () => {} : watchHandshakes(server);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    throw new Error(
      `Port ${port} of ${host} is taken by another program. Choose another port, or 0 for any that is free.`,
      { cause: error },
    );
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no TCP port.');
  if (host !== IPV4_LOOPBACK || (await holdsIpv6Loopback(server, address.port)))
    return { server, port: address.port, dropHandshakes };
  server.close();
  if (port === 0) return listen({ certificate, parsing }, { host, port });
  throw new Error(
    `Port ${port} of ::1 is taken by another program, which a browser would take for the relay at http://localhost:${port}. End it, or choose another port.`,
  );
}

/** A TLS socket and its TCP socket have the same remote port. */
function watchHandshakes(server: Server): () => void {
  const pending = new Map<string, Socket>();
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    pending.set(key, socket);
    socket.once('close', () => pending.get(key) === socket && pending.delete(key));
  });
  server.on('secureConnection', (socket: Socket) => pending.delete(keyOf(socket)));
  return () => {
    for (const socket of pending.values()) socket.destroy();
  };
}

const IPV4_LOOPBACK = '127.0.0.1';

/**
 * Browsers try `[::1]` first for `localhost`: a program with our port there would have the web app's origin,
 * storage and key. False when another program holds it.
 */
async function holdsIpv6Loopback(server: Server, port: number): Promise<boolean> {
  const twin = createTcpServer((socket) => server.emit('connection', socket));
  twin.listen({ host: '::1', port, ipv6Only: true });
  try {
    await once(twin, 'listening');
  } catch (error) {
    // Without IPv6 no program can hold it.
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE');
  }
  twin.unref();
  server.once('close', () => twin.close());
  return true;
}

/**
 * A name for people's links: no other program of the machine shares its cookies unless it uses this exact
 * name.
 */
export const OWN_NAME = 'drawbridge.localhost';

/** Hosts we are reached under, besides the loopback names with our port. */
function hostsOf(
  { hosts = [] }: RelayOptions,
  bound: { readonly host: string; readonly port: number; readonly secure: boolean },
): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]', OWN_NAME];
  if (!isWildcard(bound.host)) names.push(bracketed(bound.host));
  const own = [...names, ...hosts.filter((name) => !hasPort(name))].map((name) => `${name}:${bound.port}`);
  // A browser leaves out its scheme's default port.
  return new Set([...hosts, ...own, ...(bound.port === (bound.secure ? 443 : 80) ? names : [])]);
}

const hasPort = (name: string): boolean => /:\d+$/.test(name) && !name.endsWith(']');

const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

interface Bound {
  readonly host: string;
  readonly port: number;
}

export const guardOf = (options: RelayOptions, { host, port }: Bound): GuardOptions => ({
  port,
  hosts: hostsOf(options, { host, port, secure: options.tls !== undefined }),
  secure: options.tls !== undefined || options.trustedProxy === true,
  origins: new Set(options.origins),
});

/** Address for programs of this machine. */
export const ownUrl = ({ tls }: RelayOptions, { host, port }: Bound): string =>
  `${tls === undefined ? 'http' : 'https'}://${isWildcard(host) ? '127.0.0.1' : bracketed(host)}:${port}`;
