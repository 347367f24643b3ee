import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const PALETTE = 256;
const RGB = 3;

/** Reduces a PNG to 256 colours, which halves the size of text screenshots. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, rows } = decode(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < rows.length; at += RGB) {
    const colour = rows.readUIntBE(at, RGB);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, PALETTE)
    .map(([colour]) => colour);
  const indexOf = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const indexed = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = rows.readUIntBE((y * width + x) * RGB, RGB);
      indexed[y * (width + 1) + x + 1] = indexOf.get(colour) ?? 0;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits, by palette: https://www.w3.org/TR/png-3/#11IHDR
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.alloc(palette.length * RGB);
  for (const [at, colour] of palette.entries()) colours.writeUIntBE(colour, at * RGB, RGB);
  const data = deflateSync(indexed, { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function nearest(palette: readonly number[], colour: number): number {
  const far = (other: number): number =>
    [16, 8, 0].reduce((sum, bits) => sum + (((colour >> bits) & 255) - ((other >> bits) & 255)) ** 2, 0);
  return palette.reduce((best, other, at) => (far(other) < far(palette[best] ?? 0) ? at : best), 0);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const;
  ends[0].writeUInt32BE(data.length);
  ends[1].writeUInt32BE(crc32(body));
  return Buffer.concat([ends[0], body, ends[1]]);
}

/** Decodes Chromium's PNG: 8-bit RGB. */
function decode(png: Buffer): { readonly width: number; readonly height: number; readonly rows: Buffer } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (png[24] !== 8 || png[25] !== 2) throw new Error('The picture is not in 8 bits of RGB.');
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const isData = png.toString('latin1', at + 4, at + 8) === 'IDAT';
    if (isData) parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * RGB;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const left = x < RGB ? 0 : (rows[y * stride + x - RGB] ?? 0);
      const up = y === 0 ? 0 : (rows[(y - 1) * stride + x] ?? 0);
      const corner = x < RGB || y === 0 ? 0 : (rows[(y - 1) * stride + x - RGB] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      rows[y * stride + x] = (raw[y * (stride + 1) + x + 1] ?? 0) + guess;
    }
  }
  return { width, height, rows };
}

/** https://www.w3.org/TR/png-3/#9Filter-type-4-Paeth */
function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
