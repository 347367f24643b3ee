import { Readable } from 'node:stream';
import { type Relay, startRelay } from '@drawbridge/relay';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { terminalOf } from '../../test/terminal.ts';
import type { Terminal } from '../command.ts';
import { createDecisions } from './decisions.ts';
import { createNarrator } from './narrator.ts';
import { connectPerson } from './person.ts';

async function connect({ url, devices }: Relay, label: string) {
  const { token } = await devices.mint({ roles: ['person'], label, by: 'machine' });
  const person = await connectPerson(url, token);
  onTestFinished(person.close);
  return person;
}

const NEVER_WITHDRAWN = new AbortController().signal;

/** A browser asks through a relay, and the demo waits for a decision. */
async function asked({ auto = false, typed = '', afterMs = 0, lastsMs = 60_000 }) {
  const relay = await startRelay({ data: temporaryFolder(), port: 0, env: {} });
  onTestFinished(relay.close);
  const [person, other] = [await connect(relay, 'you'), await connect(relay, 'Phone')];
  const { terminal, out, errors } = terminalOf('');
  const stdin = Object.assign(Readable.from(typed === '' ? [] : [typed]), { isTTY: typed !== '' });
  const here: Terminal = { ...terminal, stdin };
  const narrator = createNarrator({ json: false, fast: true }, here, new AbortController().signal);
  const decide = createDecisions(person, narrator, here, { auto, afterMs });
  const answer = relay.asker.ask(
    {
      ...{ question_id: 'q1', runtime_id: 'tab_1', call_id: 'c1', name: 'order.place', call_hash: 'h1' },
      ...{ origin: 'https://shop.example', sentence: 'Place the order.', data: [] },
      effect: 'irreversible',
      expires_at: Date.now() + lastsMs,
    },
    NEVER_WITHDRAWN,
  );
  const prompt = await other.event('permission_prompt', () => true);
  const decided = decide(prompt, 'It wants to pay.');
  const byPhone = (choice_id: string) =>
    other.link.request({
      ...{ type: 'permission_response', session_id: prompt.session_id, prompt_id: 'q1' },
      choice_id,
    });
  return { answer, decided, byPhone, out, errors };
}

test('allows by itself with --auto', async () => {
  const { answer, decided, out } = await asked({ auto: true });
  expect(await decided).toEqual({ allowed: true, by: 'you' });
  expect(await answer).toMatchObject({ decision: 'once' });
  expect(out).toEqual(['? It wants to pay. --auto allows it.', '✓ Allowed by “you”.']);
});

test.each(['once', 'deny'])('the web app decides: %s', async (choice) => {
  const { answer, decided, byPhone, out, errors } = await asked({});
  await byPhone(choice);
  const allowed = choice === 'once';
  expect(await decided).toEqual({ allowed, by: 'Phone' });
  expect(await answer).toMatchObject({ decision: choice });
  expect(out).toEqual([
    '? It wants to pay. Decide in the web app.',
    `✓ ${allowed ? 'Allowed' : 'Denied'} by “Phone”.`,
  ]);
  expect(errors).toEqual([]);
});

test('the terminal asks after a while, and takes y or n', async () => {
  const { answer, decided, errors } = await asked({ typed: 'what?\nN\n' });
  expect(await decided).toEqual({ allowed: false, by: 'you' });
  expect(await answer).toMatchObject({ decision: 'deny' });
  expect(errors).toEqual(['  You can also type y or n:', '  Type y or n.']);
});

test('denies without an answer', async () => {
  const { answer, decided, out } = await asked({ lastsMs: 50 });
  expect(await decided).toEqual({ allowed: false, by: 'nobody' });
  expect(await answer).toMatchObject({ decision: 'deny' });
  expect(out.at(-1)).toContain('No answer in time');
});
