import { createHash, timingSafeEqual } from 'node:crypto';

/** So many bytes that nobody can foretell. */
export type Random = (bytes: number) => Uint8Array;

const TOKEN = /^dbr_[\w-]{43}$/;
const BROWSER_NAME = /^dbn_[\w-]{43}$/;
const SECRET = /^[\w-]{43}$/;

/** 256 bits. The prefix is for those who look for leaked secrets in what people publish. */
export const newToken = (random: Random): string => `dbr_${newSecret(random)}`;

/** Names a browser in its proofs. Without a signature by the browser's key it opens nothing. */
export const newBrowserName = (random: Random): string => `dbn_${newSecret(random)}`;

export const newSecret = (random: Random): string => Buffer.from(random(32)).toString('base64url');

export const newId = (kind: string, random: Random): string =>
  `${kind}_${Buffer.from(random(12)).toString('hex')}`;

export const isToken = (text: string): boolean => TOKEN.test(text);

export const isBrowserName = (text: string): boolean => BROWSER_NAME.test(text);

export const isSecret = (text: string): boolean => SECRET.test(text);

/** What is stored, and looked up by: how long that takes says nothing of the secret. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Of two hashes. */
export function areSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
