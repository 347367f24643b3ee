import { BridgeError } from '@drawbridge/protocol';
import type { Pairing } from '../wire.ts';
import { personError } from './words/worker-words.ts';

/** Parses a pairing link: `http://127.0.0.1:7717/#pair=SECRET`. */
export function readPairLink(link: string): { readonly url: string; readonly secret: string } {
  const parsed = URL.parse(link.trim());
  const secret = /^#pair=([\w-]+)$/.exec(parsed?.hash ?? '')?.[1];
  if (parsed === null || secret === undefined || !/^https?:$/.test(parsed.protocol))
    throw personError('invalid_input', 'bad_link');
  if (parsed.protocol === 'http:' && !isLoopback(parsed.hostname))
    throw personError('invalid_input', 'plain_link');
  return { url: parsed.origin, secret };
}

/** Redeems the link, which works once. */
export async function pairWith(link: string, name: string): Promise<Pairing> {
  const { url, secret } = readPairLink(link);
  const response = await fetch(`${url}/api/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret, as: 'token', label: name }),
    credentials: 'omit',
  }).catch(() => Promise.reject(personError('transport_failed', 'relay_away', url)));
  const said: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new BridgeError('unauthorized', wordsIn(said) ?? `The relay at ${url} refused.`);
  const { token, device_id, roles } = parseDevice(said);
  const missing = ['runtime', 'person'].filter((role) => !roles.includes(role));
  if (missing.length > 0) {
    // Unpairs a device with unsuitable roles, so that nobody else uses it.
    await unpairFrom({ url, token, deviceId: device_id, name });
    throw personError('unauthorized', 'wrong_roles');
  }
  return { url, token, deviceId: device_id, name };
}

/** Makes the relay forget this device, if reachable. */
export async function unpairFrom({ url, token }: Pairing): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${url}/api/signout`, { method: 'POST', headers, credentials: 'omit' }).catch(() => undefined);
}

/** Checks that the relay is reachable and knows this device. */
export async function probeRelay({ url, token }: Pairing): Promise<'online' | 'refused' | 'offline'> {
  try {
    const { status } = await fetch(`${url}/api/me`, {
      headers: { authorization: `Bearer ${token}` },
      credentials: 'omit',
      signal: AbortSignal.timeout(5_000),
    });
    return status === 401 || status === 403 ? 'refused' : 'online';
  } catch {
    return 'offline';
  }
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

function wordsIn(said: unknown): string | undefined {
  const { error } = said as { error?: { message?: unknown } };
  return typeof error?.message === 'string' ? error.message : undefined;
}

function parseDevice(said: unknown): { token: string; device_id: string; roles: readonly string[] } {
  const { token, device_id, roles } = said as { token?: unknown; device_id?: unknown; roles?: unknown };
  if (typeof token !== 'string' || typeof device_id !== 'string' || !Array.isArray(roles))
    throw new BridgeError('invalid_result', 'The relay answered with something else than a device.');
  return { token, device_id, roles: roles.map(String) };
}
