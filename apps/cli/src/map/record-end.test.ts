import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { untilEnter } from './record-end.ts';

/** A keyboard with single key presses and raw mode. */
function keyboard() {
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => raw.push(isRaw),
  });
  return { stdin, raw };
}

test.each(['\r', '\n', '\u0003', '\u0004'])('%j ends it, and restores the terminal', async (key) => {
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

test('the end of a piped standard input ends it too', async () => {
  await untilEnter({ stdin: Readable.from([]) });
});
