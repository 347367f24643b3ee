import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { untilEnter } from './record-end.ts';

/** A keyboard whose keys come one by one, and whether they come to us alone. */
function keyboard() {
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => raw.push(isRaw),
  });
  return { stdin, raw };
}

test.each(['\r', '\n', '\u0003', '\u0004'])('%j ends it, and the terminal is as it was', async (key) => {
  const { stdin, raw } = keyboard();
  let isOver = false;
  const ended = untilEnter({ stdin }).then(() => {
    isOver = true;
  });
  stdin.write('abc');
  await new Promise((resolve) => setImmediate(resolve));
  expect({ isOver, raw }).toEqual({ isOver: false, raw: [true] });
  stdin.write(key);
  await ended;
  expect(raw).toEqual([true, false]);
  expect(stdin.isPaused()).toBe(true);
});

test('so does the end of a standard input that is no keyboard', async () => {
  await untilEnter({ stdin: Readable.from([]) });
});
