import { expect, test } from 'vitest';
import type { Session } from './connection.ts';
import { callInWorld, createIsolatedWorld } from './isolated-world.ts';

/** A browser with one fixed answer per method. */
function worldWith(answers: Readonly<Record<string, object>>) {
  const asked: string[] = [];
  const session: Pick<Session, 'id'> & { send: (method: string) => Promise<object> } = {
    id: 'page',
    send(method) {
      asked.push(method);
      return Promise.resolve(answers[method] ?? {});
    },
  };
  return { asked, world: createIsolatedWorld(trustSession(session), { id: 1, uniqueId: 'world' }) };
}

function trustSession(session: object): Session {
  return session as Session;
}

const sent = (value: unknown) => ({ result: { type: 'string', value: JSON.stringify({ ok: true, value }) } });

test('calls page code in one round trip', async () => {
  const { asked, world } = worldWith({ 'Runtime.evaluate': sent('place') });
  expect(await callInWorld(world, 'act.prepare_press', ['7'])).toBe('place');
  expect(asked).toEqual(['Runtime.evaluate']);
});

test('reports page code that throws synchronously as failed', async () => {
  const thrown = { type: 'object', subtype: 'error', objectId: 'thrown', description: 'TypeError: gone' };
  const { world } = worldWith({
    'Runtime.evaluate': { result: thrown, exceptionDetails: { text: 'Uncaught', exception: thrown } },
  });
  await expect(callInWorld(world, 'act.prepare_press', ['7'])).rejects.toMatchObject({
    code: 'handler_failed',
    message: 'The page code failed: TypeError: gone. Reload the page.',
  });
});
