import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import type { AgentMessage } from '../adapter.ts';
import { Transcript } from './transcript.ts';

function bench() {
  const clock = createFakeClock(0);
  const delivered: AgentMessage[] = [];
  let ids = 0;
  const transcript = new Transcript({
    now: clock.now,
    newId: () => {
      ids += 1;
      return `m${ids}`;
    },
    after: (ms, run) => {
      const handle = clock.setTimeout(run, ms);
      return () => clock.clearTimeout(handle);
    },
    send: (message) => delivered.push(message),
    draft: () => {},
  });
  return {
    clock,
    transcript,
    delivered,
    words: () => delivered.map(({ message_id, content }) => `${message_id} ${content}`),
  };
}

const chunk = (text: string, messageId?: string, kind: 'agent' | 'user' = 'agent'): SessionUpdate => ({
  sessionUpdate: `${kind}_message_chunk`,
  content: { type: 'text', text },
  ...(messageId !== undefined && { messageId }),
});

test('merges a hundred chunks into few messages of one id, the last of them complete', () => {
  const { clock, transcript, words } = bench();
  for (let n = 0; n < 100; n += 1) {
    transcript.take(chunk(`${n} `));
    clock.advance(10);
  }
  transcript.end();
  expect(words().length).toBeLessThan(8);
  expect(words().every((line) => line.startsWith('m1 '))).toBe(true);
  expect(words().at(-1)).toContain('98 99 ');
});

test("groups interleaved chunks by the agent's id", () => {
  const { transcript, words } = bench();
  for (const update of [chunk('a', 'x'), chunk('b', 'y'), chunk('c', 'x'), chunk('d', 'y')])
    transcript.take(update);
  transcript.end();
  expect(words()).toEqual(['m1 a', 'm2 b', 'm1 ac', 'm2 bd']);
});

test('starts a new message after an action of the agent', () => {
  const { transcript, words } = bench();
  transcript.take(chunk('before'));
  transcript.take({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Look', status: 'completed' });
  transcript.take(chunk('after'));
  transcript.end();
  expect(words()).toEqual(['m1 before', 'm2 Look (completed)', 'm3 after']);
});

test('[CHT-350] the answer to a message that was sent while the agent was busy is a separate message', () => {
  const { transcript, words } = bench();
  transcript.take(chunk('first'));
  transcript.sent('and then?');
  transcript.take(chunk(' answer'));
  transcript.endMessage();
  transcript.take(chunk('second answer'));
  transcript.end();
  expect(words()).toEqual(['m1 first answer', 'm2 second answer']);
});

test('[CHT-165] drops an echo however it is split, and keeps other words of the person', () => {
  const { clock, transcript, words } = bench();
  transcript.sent('Please look');
  transcript.take(chunk('Please', 'u', 'user'));
  clock.advance(1_000);
  transcript.take(chunk(' look', 'u', 'user'));
  clock.advance(1_000);
  transcript.take(chunk('Typed at the agent', 'v', 'user'));
  transcript.end();
  expect(words()).toEqual(['m2 Typed at the agent']);
});

test('throttles the output of a tool, and sends its end at once', () => {
  const { clock, transcript, delivered } = bench();
  const output = (text: string): SessionUpdate => ({
    sessionUpdate: 'tool_call_update',
    toolCallId: 't',
    content: [{ type: 'content', content: { type: 'text', text } }],
  });
  transcript.take({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Build', status: 'in_progress' });
  for (let n = 0; n < 50; n += 1) transcript.take(output(`line ${n}`));
  expect(delivered).toHaveLength(1);
  clock.advance(1_000);
  expect(delivered).toHaveLength(2);
  transcript.take({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'failed' });
  expect(delivered.at(-1)).toMatchObject({
    message_id: 'm1',
    details: { status: 'failed', output: 'line 49' },
  });
});

test('splits a message that never ends', () => {
  const { transcript, delivered } = bench();
  for (let n = 0; n < 3; n += 1) transcript.take(chunk('x'.repeat(150_000)));
  transcript.end();
  expect(delivered.map(({ message_id, content }) => [message_id, content.length])).toEqual([
    ['m1', 300_000],
    ['m2', 150_000],
  ]);
});

test('a call that the agent did not end is stopped with its turn', () => {
  const { transcript, words } = bench();
  transcript.take({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'npm test', status: 'in_progress' });
  transcript.take({ sessionUpdate: 'tool_call', toolCallId: 'u', title: 'ls', status: 'completed' });
  transcript.end();
  expect(words()).toEqual(['m1 npm test (running)', 'm2 ls (completed)', 'm1 npm test (stopped)']);
});

test('keeps the end of a long output, and what a command printed where an agent reports it as data', () => {
  const { transcript, delivered } = bench();
  const command = {
    sessionUpdate: 'tool_call',
    title: 'npm test',
    kind: 'execute',
    status: 'completed',
  } as const;
  const shown = (update: SessionUpdate) => {
    transcript.take(update);
    return JSON.stringify(delivered.at(-1)?.details);
  };
  const text = `FIRST ${'x'.repeat(50_000)} LAST`;
  const long = shown({
    ...command,
    toolCallId: 'a',
    content: [{ type: 'content', content: { type: 'text', text } }],
  });
  expect(long).toMatch(/FIRST x+.*more characters.*x+ LAST/);
  expect(long.length).toBeLessThan(21_000);
  const terminal = { type: 'terminal', terminalId: 'term_1' } as const;
  const raw = { stdout: '2 passed', stderr: 'a warning', exitCode: 0 };
  const printed = shown({ ...command, toolCallId: 'b', content: [terminal], rawOutput: raw });
  expect(JSON.parse(printed)).toMatchObject({ tool_kind: 'execute', output: '2 passed\na warning' });
  const codex = { stdout: '2 passed', formatted_output: '2 passed in 3 s', exit_code: 0 };
  expect(shown({ ...command, toolCallId: 'c', rawOutput: codex })).toContain('"output":"2 passed in 3 s"');
  expect(shown({ ...command, toolCallId: 'd', rawOutput: 'as it is' })).toContain('"output":"as it is"');
});

test('[CHT-364] a notice of the agent is a message of the agent, not of the proxy', () => {
  const { transcript, delivered } = bench();
  const title = 'Pressed “Pay now” on shop.example. Allowed by Anna’s phone.';
  transcript.take({ sessionUpdate: 'notice', severity: 'info', title });
  expect(delivered).toMatchObject([{ role: 'assistant', content: title }]);
});
