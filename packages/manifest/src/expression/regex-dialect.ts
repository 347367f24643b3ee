/**
 * Translates JavaScript patterns to RE2 where the two differ: `\s`, `.`, `[^]`, named groups, and escapes
 * that only one of them has.
 * https://tc39.es/ecma262/#sec-patterns · https://github.com/google/re2/wiki/Syntax
 */

const SPACES =
  '\\t\\n\\x{B}\\f\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}';
const LINE_ENDS = '\\n\\r\\x{2028}\\x{2029}';

/** The complement of SPACES, for `[\S…]`: part of a class cannot be negated. */
const NOT_SPACES =
  '\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}';

/** An escape, the opening of a group, a class bracket, a dot, or any other character. */
const TOKENS = /\\(?:u\{?[0-9A-Fa-f]+\}?|x[0-9A-Fa-f]{2}|c[A-Za-z]|[\s\S])|\(\?<(?![=!])|\[\^?\]?|[\s\S]/gu;

export function toLinearPattern(source: string): string {
  let inClass = false;
  const rewrite = (token: string): string => {
    if (token.startsWith('\\')) return rewriteEscape(token, inClass);
    if (inClass) {
      if (token.endsWith(']')) inClass = false;
      return token.startsWith('[') ? token.replace('[', '\\[') : token;
    }
    if (token === '[]') return '[^\\x{0}-\\x{10FFFF}]';
    if (token === '[^]') return '[\\x{0}-\\x{10FFFF}]';
    if (token.startsWith('[')) inClass = true;
    if (token === '(?<') return '(?P<';
    return token === '.' ? `[^${LINE_ENDS}]` : token;
  };
  return source.replace(TOKENS, rewrite);
}

function rewriteEscape(token: string, inClass: boolean): string {
  const letter = token.charAt(1);
  switch (letter) {
    case 's':
      return inClass ? SPACES : `[${SPACES}]`;
    case 'S':
      return inClass ? NOT_SPACES : `[^${SPACES}]`;
    case 'u':
      return unicodeEscape(token);
    case 'x':
      return token.length === 4 ? token : 'x';
    case 'c':
      return token.length === 3 ? `\\x{${(token.charCodeAt(2) % 32).toString(16)}}` : token;
    case 'v':
      return '\\x{B}';
    case '0':
      return '\\x{0}';
    case 'b':
      return inClass ? '\\x{8}' : token;
    case '/':
      return '/';
    default:
      return /[A-Za-z0-9]/.test(letter) ? knownEscape(token, letter) : `\\${letter}`;
  }
}

/** Without the u flag, JavaScript reads `\u{61}` as 61 times the letter u, which no author intends. */
function unicodeEscape(token: string): string {
  const digits = /^\\u\{?([0-9A-Fa-f]+)\}?$/.exec(token)?.[1];
  if (digits === undefined) return 'u';
  if (token.startsWith('\\u{')) return `\\x{${digits}}`;
  return digits.length < 4 ? `u${digits}` : `\\x{${digits.slice(0, 4)}}${digits.slice(4)}`;
}

/** JavaScript reads an unknown escape as the letter itself; RE2 gives some of them a meaning. */
function knownEscape(token: string, letter: string): string {
  return /[dDwWbBnrtfk1-9]/.test(letter) ? token : letter;
}
