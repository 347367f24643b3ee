const MASK = '•••';

/** Keys that say what they are by how they begin; a JWT; the part of a URL that is a password; long random words. */
const KEYS = [
  /\b(?:sk|pk|rk|ghp|gho|ghu|ghs|github_pat|glpat|xox[abpors]|npm|hf|dckr_pat|AKIA|ASIA|AIza)[-_]?[\w-]{12,}/g,
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]+)?/g,
  /(?<=:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g,
  /\b(?=[\w+/-]*\d)(?=[\w+/-]*[A-Za-z])[A-Za-z0-9+/_-]{32,}={0,2}/g,
  /\b\d(?:[ -]?\d){12,18}\b/g,
] as const;
const NAMED =
  /\b([\w-]*(?:password|passwd|passphrase|secret|token|api[-_]?key|authorization|bearer|credential|private[-_]?key)[\w-]*)(\s*[:=]\s*|\s+)(?!•)("[^"]*"|'[^']*'|(?:bearer\s+)?[^\s"',;]{4,})/gi;
/** "a token expired": after a mere space, only what is no word of a sentence. */
const isWord = (text: string): boolean => /^[\p{L}.!?…]+$/u.test(text);

/** A notice lies on a locked screen: what looks like a secret in an agent's words does not go there. */
export function covered(text: string): string {
  const named = text.replace(NAMED, (whole: string, name: string, between: string, value: string) =>
    between.trim() === '' && isWord(value) ? whole : `${name}${between}${MASK}`,
  );
  return KEYS.reduce((left, key) => left.replace(key, MASK), named);
}

/** What would break a line or reverse a text; not what joins letters and emoji. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** On one line, and at most so long. */
export function line(text: string, most: number): string {
  const flat = text.replace(UNSEEN, ' ').trim().toWellFormed();
  const letters = [...flat.slice(0, 2 * most)];
  return letters.length <= most && flat.length <= 2 * most ? flat : `${letters.slice(0, most - 1).join('')}…`;
}
