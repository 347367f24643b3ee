import { lookup } from 'node:dns/promises';
import { OWN_NAME } from '@drawbridge/relay';

/** Resolves a name to an address; rejects if there is none. */
export type Lookup = (name: string) => Promise<{ readonly address: string }>;

/**
 * The address for people: a separate host name if it resolves to this machine. Cookies ignore ports, so
 * 127.0.0.1 shares them with every other local server. Programs keep 127.0.0.1.
 */
export async function peoplesUrl(url: string, look: Lookup = lookup): Promise<string> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:' || hostname !== '127.0.0.1') return url;
  const found = await look(OWN_NAME).catch(() => undefined);
  return found?.address === '127.0.0.1' ? `http://${OWN_NAME}:${port}` : url;
}
