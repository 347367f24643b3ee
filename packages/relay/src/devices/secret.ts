import { createHash, timingSafeEqual } from 'node:crypto';

/** Unpredictable bytes. */
export type Random = (bytes: number) => Uint8Array;

const TOKEN = /^dbr_[\w-]{43}$/;
const BROWSER_NAME = /^dbn_[\w-]{43}$/;
const SECRET = /^[\w-]{43}$/;

/** 256 bits. The prefix lets secret scanners find leaked tokens. */
export const newToken = (random: Random): string => `dbr_${newSecret(random)}`;

/** Names a browser in its proofs. Grants no access without a signature by the browser's key. */
export const newBrowserName = (random: Random): string => `dbn_${newSecret(random)}`;

export const newSecret = (random: Random): string => Buffer.from(random(32)).toString('base64url');

export const newId = (kind: string, random: Random): string =>
  `${kind}_${Buffer.from(random(12)).toString('hex')}`;

export const isToken = (text: string): boolean => TOKEN.test(text);

export const isBrowserName = (text: string): boolean => BROWSER_NAME.test(text);

export const isSecret = (text: string): boolean => SECRET.test(text);

/** Stored and used as the lookup key: lookup time reveals nothing about the secret. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Compares two hashes in constant time. */
export function areSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
