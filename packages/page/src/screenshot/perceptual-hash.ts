/** The used part of an `ImageData`: four bytes per pixel, red, green, blue and alpha. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: ArrayLike<number>;
}

const SIDE = 8;

/**
 * The image as 8×8 grays, one bit each: lighter than their mean or not, in 16 hexadecimal digits. Equal for
 * similar images; contract 4 sends an image again only when it differs.
 */
export function perceptualHash(pixels: Pixels): string {
  const grays = smallGrays(pixels);
  const mean = grays.reduce((sum, gray) => sum + gray, 0) / grays.length;
  let digits = '';
  for (let at = 0; at < grays.length; at += 4) {
    const nibble = grays.slice(at, at + 4).reduce((bits, gray) => bits * 2 + (gray > mean ? 1 : 0), 0);
    digits += nibble.toString(16);
  }
  return digits;
}

/** The number of differing bits of two hashes. */
export function hammingDistance(one: string, other: string): number {
  if (one.length !== other.length) return Math.max(one.length, other.length) * 4;
  let distance = 0;
  for (let at = 0; at < one.length; at++) {
    const differing = Number.parseInt(one.charAt(at), 16) ^ Number.parseInt(other.charAt(at), 16);
    distance += differing.toString(2).replaceAll('0', '').length;
  }
  return distance;
}

/** The mean gray of each of the 64 fields. */
function smallGrays({ width, height, data }: Pixels): number[] {
  if (width < 1 || height < 1) throw new RangeError('A picture without pixels has no hash.');
  const grays: number[] = [];
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      grays.push(meanGray(data, width, span(column, width), span(row, height)));
    }
  }
  return grays;
}

type Span = readonly [from: number, to: number];

/** At least one pixel, so that an image smaller than 8×8 has a hash. */
function span(index: number, length: number): Span {
  const from = Math.floor((index * length) / SIDE);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * length) / SIDE))];
}

function meanGray(data: ArrayLike<number>, width: number, [left, right]: Span, [top, bottom]: Span): number {
  let sum = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 4;
      // Luma weights: https://www.itu.int/rec/R-REC-BT.601
      sum += 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
    }
  }
  return sum / ((right - left) * (bottom - top));
}
