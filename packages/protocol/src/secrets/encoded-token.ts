const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Most words are no text in base64, and show it in their first three bytes. */
const TELLING_CHARS = 4;

/** The texts that a token stands for in base64 and in hexadecimal. */
export function bytesAsText(token: string): string[] {
  return [fromBase64(token), fromHex(token)].flatMap((text) => text ?? []);
}

function fromBase64(written: string): string | undefined {
  const token = written.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  if (base64Bytes(token.slice(0, TELLING_CHARS)).some((byte) => byte < 0x20 || byte > 0x7e)) return undefined;
  return textOf(base64Bytes(token));
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

/** Undefined for bytes that are no text that somebody types. Escapes keep what is not ASCII, for later decoding. */
function textOf(bytes: readonly number[]): string | undefined {
  if (bytes.some((byte) => byte < 0x20 || byte === 0x7f)) return undefined;
  const escaped = bytes.map((byte) =>
    byte < 0x7f && byte !== 0x25 ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`,
  );
  return escaped.join('');
}
