import type { ConnectionOptions } from '@nats-io/transport-node';

const SCHEMES = new Set(['nats:', 'tls:']);

/**
 * `nats://host`, several separated by commas, `tls://` for encryption; credentials as
 * `nats://user:password@host` or `nats://token@host`, which the library does not read from a URL.
 */
export function parseNatsUrl(
  text: string,
): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls'> {
  const urls = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map(parseOne);
  if (urls.length === 0) throw wrong();
  const who = urls.find(({ username }) => username !== '');
  const user = decodeURIComponent(who?.username ?? '');
  const pass = decodeURIComponent(who?.password ?? '');
  return {
    servers: urls.map(({ host }) => host),
    ...(user !== '' && (pass === '' ? { token: user } : { user, pass })),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
  };
}

function parseOne(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !SCHEMES.has(url.protocol) || url.host === '') throw wrong();
  return url;
}

/** Omits the input, because it may contain a password. */
const wrong = (): Error => new Error('Invalid bus address. Use nats://host:4222 or tls://host:4222.');
