import { hostname } from 'node:os';
import { join } from 'node:path';
import { readObjectFile, writePrivateFile } from '../browser/private-file.ts';
import type { DataFolder } from '../live/data-folder.ts';
import { trustOwnCertificate } from '../live/own-certificate.ts';
import type { RunningRelay } from '../relay/local-relay.ts';
import type { ProxyOptions } from './proxy-arguments.ts';

/** A relay and this proxy's credentials. */
export interface JoinedProxy {
  readonly url: string;
  readonly token: string;
  readonly machine_label: string;
}

const DEVICE_FILE = 'proxy-device.json';

export async function joinAsProxy(
  options: Pick<ProxyOptions, 'label' | 'relay'>,
  given: string | undefined,
  data: DataFolder,
): Promise<JoinedProxy> {
  const machine_label = options.label ?? hostname();
  const link = parseLink(given);
  if (link !== undefined) return pairWith(link, options.relay, data, machine_label);
  if (options.relay === undefined) return joinLocal(data, machine_label);
  const { origin } = new URL(options.relay);
  const token = given ?? (await rememberedToken(origin, data));
  if (token === undefined) {
    throw new Error(
      `This machine has no token for ${origin}. Run drawbridge pair --role proxy on the relay’s machine, and put the token or link it prints into DRAWBRIDGE_TOKEN.`,
    );
  }
  await writePrivateFile(join(data.path, DEVICE_FILE), { url: origin, token });
  return { url: origin, token, machine_label };
}

async function joinLocal(data: DataFolder, machine_label: string): Promise<JoinedProxy> {
  // Loaded on demand: a proxy of a remote relay does not need the relay's code.
  const { findRunningRelay } = await import('../relay/local-relay.ts');
  const relay = await findRunningRelay(data.path);
  const kept = await readObjectFile(join(data.path, DEVICE_FILE));
  if (relay === undefined) {
    const { url, token } = kept ?? {};
    // A remote pairing has priority, even if unreachable now.
    if (typeof url === 'string' && typeof token === 'string' && kept?.['local'] !== true) {
      return { url, token, machine_label };
    }
    throw new Error(
      `No relay runs with the folder ${data.path}. Start one (drawbridge up), or name one: --relay URL.`,
    );
  }
  await trustOwnCertificate(data);
  return { url: relay.url, token: await localToken(relay, data, machine_label), machine_label };
}

/** The last used device, unless it was revoked. */
async function localToken({ call, url }: RunningRelay, { path }: DataFolder, label: string): Promise<string> {
  const file = join(path, DEVICE_FILE);
  const { device_id, token } = (await readObjectFile(file)) ?? {};
  if (typeof device_id === 'string' && typeof token === 'string') {
    const { devices } = await call('GET /api/devices');
    if (devices.some((each) => each.device_id === device_id && each.revoked_at === null)) return token;
  }
  const made = await call('POST /api/devices', { body: { roles: ['proxy'], label: `Agents on ${label}` } });
  await writePrivateFile(file, { url, local: true, device_id: made.device_id, token: made.token });
  return made.token;
}

interface PairingLink {
  readonly url: string;
  readonly secret: string;
}

/** Undefined for a token. */
function parseLink(given: string | undefined): PairingLink | undefined {
  const { origin, protocol, hash } = URL.parse(given ?? '') ?? {};
  const secret = /^#pair=([\w-]+)$/.exec(hash ?? '')?.[1];
  return origin && secret && /^https?:$/.test(protocol ?? '') ? { url: origin, secret } : undefined;
}

async function pairWith(
  { url, secret }: PairingLink,
  named: string | undefined,
  { path }: DataFolder,
  machine_label: string,
): Promise<JoinedProxy> {
  if (named !== undefined && new URL(named).origin !== url)
    throw new Error(`The pairing link is of ${url}, and --relay names another relay. Leave --relay out.`);
  const answer = await fetch(`${url}/api/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret, label: `Agents on ${machine_label}`, as: 'token' }),
  });
  const body: unknown = await answer.json().catch(() => undefined);
  const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined;
  if (!answer.ok || typeof token !== 'string')
    throw new Error(`The relay refused the link (HTTP ${answer.status}). Ask for a new one.`);
  await writePrivateFile(join(path, DEVICE_FILE), { url, token });
  return { url, token, machine_label };
}

async function rememberedToken(url: string, { path }: DataFolder): Promise<string | undefined> {
  const kept = (await readObjectFile(join(path, DEVICE_FILE))) ?? {};
  return kept['url'] === url && typeof kept['token'] === 'string' ? kept['token'] : undefined;
}

/** Status of a request with this credential: 401 and 403 mean that it is invalid. */
export async function credentialStatus({ url, token }: JoinedProxy): Promise<number> {
  const answer = await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
  await answer.body?.cancel();
  return answer.status;
}
