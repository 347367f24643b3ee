import { expect, test } from 'vitest';
import { Connection } from './connection.ts';
import { createInspectionLog } from './inspection.ts';

const PAGE = 'https://shop.example/';

/** A log of a tab with two sessions, whose frame has left. */
function openLog() {
  let say: (message: unknown) => void = () => undefined;
  const wire = {
    send(text: string) {
      const { id, sessionId } = JSON.parse(text);
      const error = { code: -32001, message: 'Session with given id not found.' };
      say(sessionId === 'frame' ? { id, error } : { id, sessionId, result: {} });
    },
    listen(onText: (text: string) => void) {
      say = (message) => onText(JSON.stringify(message));
    },
    close() {},
  };
  const connection = new Connection(wire);
  const log = createInspectionLog({
    ...{ mainFrameId: () => 'F', url: () => PAGE, isRefused: () => false, mask: (text) => text },
  });
  for (const id of ['main', 'frame']) log.listen(connection.session(id));
  const tell = (method: string, params: object) => say({ method, sessionId: 'main', params });
  return { log, tell };
}

test('starts although a frame has left', async () => {
  await openLog().log.start();
});

test('follows a redirect whose first request is no longer listed', () => {
  const { log, tell } = openLog();
  const request = (requestId: string, more: object = {}) =>
    tell('Network.requestWillBeSent', {
      ...{ requestId, request: { url: `${PAGE}${requestId}`, method: 'GET' }, timestamp: 1 },
      ...{ type: 'Fetch', frameId: 'F', documentURL: PAGE, ...more },
    });
  request('moved');
  for (let made = 1; made < 299; made += 1) request(`other${made}`);
  request('moved', { redirectResponse: { status: 302 } });
  // The first request of the redirect leaves the list.
  request('last');
  tell('Network.responseReceived', { requestId: 'moved', response: { status: 200, mimeType: 'text/plain' } });
  expect(log.requests().filter(({ url }) => url.endsWith('moved'))).toMatchObject([{ status: 200 }]);
});
