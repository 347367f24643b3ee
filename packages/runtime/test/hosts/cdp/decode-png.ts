import { inflateSync } from 'node:zlib';

/** Reads an 8-bit RGB or RGBA picture: https://www.w3.org/TR/png-3/#9Filters. */
export function decodePng(file: Buffer) {
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const depth = file.readUInt8(25) === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') {
      parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
    }
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * depth;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const left = x < depth ? 0 : (pixels[y * stride + x - depth] ?? 0);
      const up = y === 0 ? 0 : (pixels[(y - 1) * stride + x] ?? 0);
      const corner = x < depth || y === 0 ? 0 : (pixels[(y - 1) * stride + x - depth] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      pixels[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return {
    width,
    height,
    coloursIn({ left, top, width: wide, height: high }: Box): string[] {
      const found = new Set<string>();
      for (let y = Math.ceil(top); y < Math.floor(top + high); y++) {
        for (let x = Math.ceil(left); x < Math.floor(left + wide); x++) {
          found.add(pixels.subarray(y * stride + x * depth, y * stride + x * depth + 3).join());
        }
      }
      return [...found];
    },
  };
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [left, up, corner].map((value) => Math.abs(guess - value));
  if ((byLeft ?? 0) <= (byUp ?? 0) && (byLeft ?? 0) <= (byCorner ?? 0)) return left;
  return (byUp ?? 0) <= (byCorner ?? 0) ? up : corner;
}
