import { expect, test } from 'vitest';
import { Connection } from './connection.ts';
import type { Wire } from './wire.ts';

/** The browser's end, controlled by the test. */
function openConnection() {
  const sent: { id: number; method: string; sessionId?: string }[] = [];
  let say: (message: unknown) => void = () => undefined;
  let hangUp: (reason: string) => void = () => undefined;
  let closed = 0;
  const wire: Wire = {
    send: (text) => sent.push(JSON.parse(text)),
    listen(onText, onEnd) {
      say = (message) => onText(JSON.stringify(message));
      hangUp = onEnd;
    },
    close: () => closed++,
  };
  const connection = new Connection(wire);
  const message = (value: unknown) => say(value);
  return { connection, sent, say: message, hangUp: (why: string) => hangUp(why), closed: () => closed };
}

test('delivers each answer to its caller in any order', async () => {
  const { connection, say } = openConnection();
  const first = connection.browser.send('Target.getTargets');
  const second = connection.session('a').send('Runtime.evaluate', { expression: '1' });
  say({ id: 2, sessionId: 'a', result: { result: { type: 'number', value: 1 } } });
  say({ id: 1, result: { targetInfos: [] } });
  expect(await first).toEqual({ targetInfos: [] });
  expect(await second).toMatchObject({ result: { value: 1 } });
});

test('delivers events to their session only', () => {
  const { connection, say } = openConnection();
  const received: string[] = [];
  const stop = connection.session('a').on('Page.frameDetached', ({ frameId }) => received.push(frameId));
  say({ method: 'Page.frameDetached', sessionId: 'b', params: { frameId: 'B' } });
  say({ method: 'Page.frameDetached', sessionId: 'a', params: { frameId: 'A' } });
  stop();
  say({ method: 'Page.frameDetached', sessionId: 'a', params: { frameId: 'C' } });
  expect(received).toEqual(['A']);
});

test('fails pending calls of a detached session and keeps those of others', async () => {
  const { connection, say } = openConnection();
  const gone = expect(connection.session('a').send('Page.enable')).rejects.toThrow('navigated or closed');
  const stays = connection.session('b').send('Page.enable');
  say({ method: 'Target.detachedFromTarget', params: { sessionId: 'a' } });
  await gone;
  say({ id: 2, result: {} });
  expect(await stays).toEqual({});
});

test('fails pending and later calls when the wire ends', async () => {
  const { connection, hangUp } = openConnection();
  const reasons: string[] = [];
  connection.onEnd((reason) => reasons.push(reason));
  const failed = expect(connection.browser.send('Target.getTargets')).rejects.toMatchObject({
    code: 'transport_failed',
    evidence: { method: 'Target.getTargets', reason: 'it was killed' },
  });
  hangUp('it was killed');
  hangUp('again');
  await failed;
  await expect(connection.session('a').send('Page.enable')).rejects.toMatchObject({
    code: 'transport_failed',
  });
  connection.onEnd((reason) => reasons.push(reason));
  expect(reasons).toEqual(['it was killed', 'it was killed']);
});

test("reports the browser's own error message", async () => {
  const { connection, say } = openConnection();
  const refused = connection.browser.send('Target.getTargets');
  say({ id: 1, error: { code: -32000, message: 'Not allowed', data: 'here' } });
  await expect(refused).rejects.toMatchObject({ name: 'CdpError', message: 'Not allowed: here' });
});
