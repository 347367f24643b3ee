import { PassThrough } from 'node:stream';
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
