import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pipeWire } from './wire.ts';

test('reassembles a text however the pipe splits it', () => {
  const output = new PassThrough();
  const received: string[] = [];
  pipeWire(new PassThrough(), output).listen(
    (text) => received.push(text),
    () => undefined,
  );
  const bytes = Buffer.from('{"a":"ü"}\0{"b":1}\0{"c":');
  for (const byte of bytes) output.emit('data', Buffer.from([byte]));
  output.emit('data', Buffer.from('2}\0'));
  expect(received).toEqual(['{"a":"ü"}', '{"b":1}', '{"c":2}']);
});

test('sends the texts of one tick in one write, in order', async () => {
  const writes: string[] = [];
  const input = new Writable({
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      done();
    },
  });
  const wire = pipeWire(input, new PassThrough());
  for (const text of ['move', 'press', 'release']) wire.send(text);
  await nextTurn();
  wire.send('confirm');
  await nextTurn();
  expect(writes).toEqual(['move\0press\0release\0', 'confirm\0']);
});

test('sends flushed text at once', async () => {
  const writes: string[] = [];
  const input = new Writable({
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      done();
    },
  });
  const wire = pipeWire(input, new PassThrough());
  wire.send('call');
  wire.flush();
  expect(writes).toEqual(['call\0']);
  for (const text of ['press', 'release']) wire.send(text);
  await nextTurn();
  expect(writes).toEqual(['call\0', 'press\0release\0']);
});

test('reports the end of the pipe once', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const reasons: string[] = [];
  const wire = pipeWire(input, output);
  const ended = new Promise<void>((resolve) => {
    wire.listen(
      () => undefined,
      (reason) => {
        reasons.push(reason);
        resolve();
      },
    );
  });
  input.destroy(new Error('EPIPE'));
  await ended;
  wire.close();
  expect(reasons).toEqual(['EPIPE']);
});
