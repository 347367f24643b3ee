import { expect, test } from 'vitest';
import { Connection } from './connection.ts';
import { createListenerScan } from './listener-scan.ts';

/** A browser that refuses every command. */
function refusing(onCommand: () => void = () => {}) {
  let answer: (text: string) => void = () => {};
  const connection = new Connection({
    listen: (onText) => {
      answer = onText;
    },
    send: (text) => {
      onCommand();
      const { id, sessionId }: { id: number; sessionId: string } = JSON.parse(text);
      queueMicrotask(() => answer(JSON.stringify({ id, sessionId, error: { code: 1, message: 'No.' } })));
    },
    close: () => {},
  });
  return { session: connection.session('tab'), uniqueId: 'world', contextId: 1 };
}

test('takes a snapshot when the debugger refuses, and counts the refusal', async () => {
  // A frozen clock: on a busy machine the first scan would count as slow, and the second be skipped.
  const scan = createListenerScan(() => 0);
  const context = refusing();
  await scan.look(context);
  await scan.look(context);
  expect(scan.metrics()).toMatchObject({
    passes: 2,
    failures: 2,
    listeners: 0,
    lastError: 'No.',
  });
});

test('skips scans of a slow page until something is done there', async () => {
  let time = 0;
  const scan = createListenerScan(() => time);
  const context = refusing(() => {
    time += 20;
  });
  await scan.look(context);
  await scan.look(context);
  expect(scan.metrics()).toMatchObject({ passes: 1, spared: 1 });
  scan.stir();
  await scan.look(context);
  expect(scan.metrics()).toMatchObject({ passes: 2, spared: 1 });
  time += 10_000;
  await scan.look(context);
  expect(scan.metrics()).toMatchObject({ passes: 3, spared: 1 });
});
