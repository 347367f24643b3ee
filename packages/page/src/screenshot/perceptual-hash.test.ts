import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hammingDistance, type Pixels, perceptualHash } from './perceptual-hash.ts';

/** A grayscale image from a function of the coordinates. */
function picture(width: number, height: number, gray: (x: number, y: number) => number): Pixels {
  const data: number[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.push(gray(x, y), gray(x, y), gray(x, y), 255);
  return { width, height, data };
}

const leftHalf = (width: number) => (x: number) => (x < width / 2 ? 200 : 20);

describe('the 8×8 hash of an image', () => {
  test('[INT-269] has one bit per field: lighter than the mean or not', () => {
    expect(perceptualHash(picture(64, 64, leftHalf(64)))).toBe('f0f0f0f0f0f0f0f0');
    expect(perceptualHash(picture(64, 64, (_, y) => (y < 32 ? 20 : 200)))).toBe('00000000ffffffff');
    expect(perceptualHash(picture(8, 8, () => 90))).toBe('0000000000000000');
  });

  test('[INT-269] is equal at any size and brightness, even below 8×8', () => {
    const sizes = [8, 13, 64, 1024].map((width) => perceptualHash(picture(width, width, leftHalf(width))));
    expect(new Set(sizes).size).toBe(1);
    expect(perceptualHash(picture(2, 2, leftHalf(2)))).toBe('f0f0f0f0f0f0f0f0');
  });

  test('[INT-270] differs as much as the image does', () => {
    const before = picture(64, 64, leftHalf(64));
    const cursor = picture(64, 64, (x, y) => (x === 40 && y === 40 ? 255 : leftHalf(64)(x)));
    const dialog = picture(64, 64, (x, y) => (x > 16 && x < 48 && y > 16 && y < 48 ? 255 : leftHalf(64)(x)));
    expect(hammingDistance(perceptualHash(before), perceptualHash(cursor))).toBe(0);
    expect(hammingDistance(perceptualHash(before), perceptualHash(dialog))).toBeGreaterThan(4);
  });

  test('weighs green more than red, and red more than blue', () => {
    const channels = [0, 1, 2].map((channel) => ({
      width: 2,
      height: 1,
      data: [0, 0, 0, 255, ...[0, 1, 2].map((one) => (one === channel ? 255 : 0)), 255],
    }));
    expect(channels.map(perceptualHash)).toEqual(Array(3).fill('0f0f0f0f0f0f0f0f'));
  });

  test('fails for an image without pixels', () => {
    expect(() => perceptualHash({ width: 0, height: 4, data: [] })).toThrow(RangeError);
  });
});

describe('distance', () => {
  const hash = fc.stringMatching(/^[0-9a-f]{16}$/);
  test('is zero to itself, symmetric, and at most 64', () => {
    fc.assert(
      fc.property(hash, hash, (one, other) => {
        expect(hammingDistance(one, one)).toBe(0);
        expect(hammingDistance(one, other)).toBe(hammingDistance(other, one));
        expect(hammingDistance(one, other)).toBeLessThanOrEqual(64);
      }),
    );
    expect(hammingDistance('0000000000000000', 'ffffffffffffffff')).toBe(64);
    expect(hammingDistance('0', '1')).toBe(1);
    expect(hammingDistance('', '1')).toBe(4);
  });
});
