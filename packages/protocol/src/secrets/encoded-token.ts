const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Most words are not base64 text, which shows in their first three bytes. */
const TELLING_CHARS = 4;

/** The texts of a token decoded as base64 and as hexadecimal. */
export function bytesAsText(token: string): string[] {
  return [fromBase64(token), fromHex(token)].flatMap((text) => text ?? []);
}

function fromBase64(written: string): string | undefined {
  const token = written.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return textOf(base64Bytes(token.slice(0, TELLING_CHARS))) === undefined
    ? undefined
    : textOf(base64Bytes(token));
}

function base64Bytes(token: string): number[] {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const character of token) {
    held = ((held << 6) | ALPHABET.indexOf(character)) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return bytes;
}

function fromHex(token: string): string | undefined {
  if (!/^(?:[\dA-Fa-f]{2}){3,}$/.test(token)) return undefined;
  return textOf((token.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)));
}

/** UTF-8 without control characters, possibly cut off at its end. */
const UTF_8 =
  /^(?:[ -~]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})*(?:[\xc2-\xf4][\x80-\xbf]{0,2})?$/;

/** Undefined for bytes that are no text. Non-ASCII stays escaped, for later decoding. */
function textOf(bytes: readonly number[]): string | undefined {
  if (!UTF_8.test(bytes.map((byte) => String.fromCharCode(byte)).join(''))) return undefined;
  const escaped = bytes.map((byte) =>
    byte < 0x7f && byte !== 0x25 ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`,
  );
  return escaped.join('');
}
