import { expect, test } from 'vitest';
import { example } from '../../test/interact/contract-examples.ts';
import { startScriptedServer, TOKEN } from '../../test/interact/scripted-server.ts';
import { mergeMessages } from './messages.ts';
import { createSessions } from './sessions.ts';

const ID = '59adf5f0-cddb-42dd-a20d-658ac57278fd';
const SESSION = {
  sessionId: ID,
  title: 'google.com: Search for SpaceX',
  domain: 'github.com',
  url: 'https://github.com',
  isRenamed: false,
  metadata: { initialDomain: 'google.com', initialUrl: 'https://google.com' },
};
const LIST = { ...example('session/session_messages'), sessionId: ID };
const MESSAGES = LIST.messages;

test('the contract’s endpoints and examples: latest, by domain, messages, rename', async () => {
  const server = await startScriptedServer([], {
    'GET /api/session/latest': { body: SESSION },
    'GET /api/session/by-domain/github.com': { body: { session: SESSION } },
    'GET /api/session/by-domain/none.test': { body: { session: null } },
    [`GET /api/session/${ID}/messages`]: { body: LIST },
    [`PATCH /api/session/${ID}`]: ({ text }) => ({
      body: { ...SESSION, ...JSON.parse(text), isRenamed: true },
    }),
  });
  const sessions = createSessions({ url: server.url, token: TOKEN, fetch });
  expect(await sessions.latest()).toEqual(SESSION);
  expect(await sessions.byDomain('github.com')).toEqual(SESSION);
  expect(await sessions.byDomain('none.test')).toBeUndefined();
  expect(await sessions.messages(ID)).toEqual(MESSAGES);
  await sessions.rename(ID, 'SpaceX');
  expect(server.came.at(-1)).toMatchObject({ method: 'PATCH', text: '{"title":"SpaceX"}' });
  for (const { headers } of server.came) expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
});

test('accepts every way in which a server reports no session', async () => {
  for (const answer of [
    { status: 404, body: { success: false, code: 'session_not_found', message: 'There is none.' } },
    { status: 404, body: { error: 'Not found' } },
    { body: { session: null } },
    { body: { success: true, data: { session: null } } },
  ]) {
    const server = await startScriptedServer([], { 'GET /api/session/latest': answer });
    expect(await createSessions({ url: server.url, token: TOKEN, fetch }).latest()).toBeUndefined();
  }
  const broken = await startScriptedServer([], {
    'GET /api/session/latest': { status: 500, body: { error: 'Out of order' } },
  });
  await expect(createSessions({ url: broken.url, token: TOKEN, fetch }).latest()).rejects.toThrow(
    'Out of order',
  );
});

test('[INT-60] a message with a missing or unknown role is the assistant’s', async () => {
  const [first, second] = MESSAGES;
  const { role: _, ...bare } = second ?? {};
  const server = await startScriptedServer([], {
    [`GET /api/session/${ID}/messages`]: {
      body: {
        sessionId: ID,
        total: 5,
        messages: [
          ...[first, bare, { ...bare, messageId: 'uuid-3', role: null, error: null }],
          ...[{ ...bare, messageId: 'uuid-4', role: 'tool' }, { content: 'no id' }],
        ],
      },
    },
  });
  const messages = await createSessions({ url: server.url, token: TOKEN, fetch }).messages(ID);
  expect(messages.map(({ messageId, role }) => [messageId, role])).toEqual([
    ['uuid-1', 'user'],
    ['uuid-2', 'assistant'],
    ['uuid-3', 'assistant'],
    ['uuid-4', 'assistant'],
  ]);
});

test('[INT-172] one message per id, by sequence number, those without one last', () => {
  const message = (messageId: string, sequenceNumber: number | undefined, content = messageId) => ({
    ...{ messageId, content, role: 'assistant' as const },
    timestamp: `2026-01-30T10:00:0${(sequenceNumber ?? 8) % 10}.000Z`,
    ...(sequenceNumber !== undefined && { sequenceNumber }),
  });
  const had = [message('a', 0), message('b', 1), message('late', undefined)];
  const came = [message('d', 3), message('b', 1, 'b again'), message('c', 2), message('a', 0)];
  const merged = mergeMessages(had, came);
  expect(merged.map(({ messageId }) => messageId)).toEqual(['a', 'b', 'c', 'd', 'late']);
  expect(merged[1]?.content).toBe('b again');
  expect(mergeMessages(merged, came)).toEqual(merged);
});
