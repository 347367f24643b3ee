import { MASK } from './echo-mask.ts';
import { isSecretByValue, namesASecret } from './secret-words.ts';

/** Keys with a known prefix, JWTs, passwords in URLs, and long random words. */
const KEYS = [
  /\b(?:sk|pk|rk|ghp|gho|ghu|ghs|github_pat|glpat|xox[abpors]|npm|hf|dckr_pat|AKIA|ASIA|AIza)[-_]?[\w-]{12,}/g,
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]+)?/g,
  /(?<=:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g,
  /\b(?=[\w+-]*\d)(?=[\w+-]*[A-Za-z])[A-Za-z0-9+_-]{32,}(?:\/[A-Za-z0-9+_-]+)*={0,2}/g,
  /\b\d(?:[ -]?\d){12,18}\b/g,
] as const;
const NAMED =
  /\b([\w-]*(?:password|passwd|passphrase|secret|token|api[-_]?key|authorization|bearer|credential|private[-_]?key)[\w-]*)(["']?\s*[:=]\s*|\s+)(?!•)("(?:[^"\\]|\\.)*"|'[^']*'|(?:bearer\s+)?[^\s"',;]{4,})/gi;
const ACCOUNT = /[A-Z]{2}\d{2}[\dA-Z ]{11,34}/g;
/** Codes and new passwords in a sentence about one. */
const CODE =
  /(?<!\d)\d{3}[ -]\d{3}(?!\d)|(?<![\p{L}\p{N}])(?=\S*\d)[\p{L}\p{N}][\p{L}\p{N}_!@#$%&*+=-]{3,63}/gu;
/** In a long text, a distant word does not mask every number. */
const NEAR_CHARS = 120;

/** "a token expired": after a space alone, a word of the sentence is not masked. */
const isWord = (text: string): boolean => /^[\p{L}.!?…]+$/u.test(text);

/**
 * Masks by shape: keys, cards, accounts and codes. For logs, the ledger, notifications and exports, never for
 * an answer to an agent, where it would hide results and protect nothing.
 */
export function maskShapes(text: string): string {
  const clean = maskKeys(text);
  if (!/\d/.test(clean) || !namesASecret(clean)) return clean;
  return clean.replace(CODE, (code, at: number) =>
    namesASecret(clean.slice(Math.max(0, at - NEAR_CHARS), at + NEAR_CHARS)) ? MASK : code,
  );
}

/**
 * Masks keys, cards, accounts, and values under a name such as `token`. For texts that a page never shows, such as
 * the answers to its requests.
 */
export function maskKeys(text: string): string {
  const named = text.replace(NAMED, (whole: string, name: string, between: string, value: string) =>
    between.trim() === '' && isWord(value) ? whole : `${name}${between}${MASK}`,
  );
  const accounts = named.replace(ACCOUNT, (account) => (isSecretByValue(account) ? MASK : account));
  return KEYS.reduce((left, key) => left.replace(key, MASK), accounts);
}

/** Names of ids, thumbnails and hashes, which look like keys and are none. */
const NAMES_ID = /(?:^|_)(?:ids?|hash|thumbnail)$|Id$/;

/** Masks every text in a JSON value by shape, except ids and hashes. */
export function maskShapesIn<Value>(value: Value): Value {
  return trustMasked<Value>(withTexts(value));
}

function withTexts(value: unknown): unknown {
  if (typeof value === 'string') return maskShapes(value);
  if (Array.isArray(value)) return value.map(withTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, NAMES_ID.test(key) ? inner : withTexts(inner)]),
  );
}

/** Only texts change, so the type stays. */
function trustMasked<Value>(value: unknown): Value {
  return value as Value;
}
