import { createECDH } from 'node:crypto';
import { isObject } from '@drawbridge/protocol/manifest';

/** The format of `PushSubscription.toJSON()`. */
export interface PushSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** Returns a message for an invalid one; whether its address may be called is checked elsewhere. */
export function parseSubscription(value: unknown): PushSubscription | string {
  const { endpoint, keys } = isObject(value) ? value : {};
  const { p256dh, auth } = isObject(keys) ? keys : {};
  if (typeof endpoint !== 'string' || typeof p256dh !== 'string' || typeof auth !== 'string') {
    return 'Send {"endpoint": URL, "keys": {"p256dh": …, "auth": …}}, as PushSubscription.toJSON() gives it.';
  }
  if (bytesOf(auth)?.length !== 16) return '"keys.auth" is 16 bytes in base64url.';
  if (!isPoint(bytesOf(p256dh))) return '"keys.p256dh" is a point of the curve P-256, 65 bytes in base64url.';
  return { endpoint, keys: { p256dh, auth } };
}

const bytesOf = (text: string): Buffer | undefined =>
  /^[\w-]{1,200}={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : undefined;

/** A point that is not on the curve would fail at every notification, or be unsafe. */
function isPoint(bytes: Buffer | undefined): boolean {
  if (bytes?.length !== 65 || bytes[0] !== 4) return false;
  const ours = createECDH('prime256v1');
  ours.generateKeys();
  try {
    ours.computeSecret(bytes);
    return true;
  } catch {
    return false;
  }
}
