import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Json, PutSetting } from '@drawbridge/ledger';
import { isObject } from '@drawbridge/protocol/manifest';
import { DeviceError } from './device-error.ts';

/**
 * ECDSA over P-256, in the form that WebCrypto exports: https://www.rfc-editor.org/rfc/rfc7518#section-6.2.1
 */
export interface BrowserKey {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
}

const COORDINATE = /^[\w-]{43}$/;

/** Checks that the point lies on the curve. */
export function parseBrowserKey(value: unknown): BrowserKey {
  const { kty, crv, x, y } = isObject(value) ? value : {};
  if (kty === 'EC' && crv === 'P-256' && isCoordinate(x) && isCoordinate(y)) {
    const key = { kty, crv, x, y } as const;
    try {
      keyObjectOf(key);
      return key;
    } catch {
      // The point is not on the curve.
    }
  }
  throw new DeviceError(
    'invalid_request',
    'A browser pairs with "key", the public JWK of its P-256 key. Reload this page; programs ask for a token ("as": "token").',
  );
}

const isCoordinate = (value: unknown): value is string => typeof value === 'string' && COORDINATE.test(value);

export const keyObjectOf = ({ kty, crv, x, y }: BrowserKey): KeyObject =>
  createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });

export const browserKeySetting = (device_id: string): string => `browser_key:${device_id}`;

export const browserKeyWrite = (device_id: string, key: BrowserKey): PutSetting => ({
  do: 'put_setting',
  key: browserKeySetting(device_id),
  value: { ...key },
});

/** Reads the format of `browserKeyWrite`. */
export const parseStoredKey = (value: Json | undefined): KeyObject | undefined =>
  value === undefined || value === null ? undefined : keyObjectOf(parseBrowserKey(value));
