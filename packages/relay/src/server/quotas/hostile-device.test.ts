import { fork } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sampled } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRelay, type TestPeer, type TestRelay } from '../../../test/server/test-relay.ts';
import type { Role } from '../../core/ports.ts';

const PROGRAM = new URL('../../../test/server/quotas/hostile-program.ts', import.meta.url);
const MOST_MEMORY = 512 * 1_048_576;
const LEDGER_QUOTA = 8 * 1_048_576;
const ROUNDS = 60;

async function attack({ url }: TestRelay, endpoint: string, token: string): Promise<void> {
  const child = fork(PROGRAM, [JSON.stringify({ url, token, endpoint })], { execArgv: [], stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
}

const bytesOf = async (file: string): Promise<number> => (await stat(file).catch(() => ({ size: 0 }))).size;

const ledgerBytes = async ({ data }: TestRelay): Promise<number> =>
  (await bytesOf(join(data, 'ledger.db'))) + (await bytesOf(join(data, 'ledger.db-wal')));

/** A person sends, and answers an agent's prompt. */
async function sendAndApprove(person: TestPeer, proxy: TestPeer, round: number): Promise<void> {
  const created_at = '2026-01-01T00:00:00.000Z';
  const client_message_id = `mine_${round}`;
  person.send({
    type: 'send_message',
    session_id: 'session',
    client_message_id,
    content: 'Go on.',
    created_at,
  });
  for (;;) if ((await person.next('message_accepted')).client_message_id === client_message_id) break;
  const choices = [{ choice_id: 'yes', label: 'Yes', is_default: true }];
  const prompt = { prompt_id: `prompt_${round}`, prompt_text: 'May I?', choices };
  proxy.send({ type: 'permission_prompt', session_id: 'session', ...prompt });
  const { prompt_id } = await person.next('permission_prompt');
  const request_id = `answer_${round}`;
  person.send({
    type: 'permission_response',
    session_id: 'session',
    request_id,
    prompt_id,
    choice_id: 'yes',
  });
  const answer = await proxy.next('permission_response');
  proxy.send({
    ...{ type: 'agent_control_result', session_id: 'session', request_id: answer.request_id },
    ...{ command: 'permission_response', result: 'ok' },
  });
}

const ENDPOINTS: readonly (readonly [endpoint: string, role: Role])[] = [
  ['chat', 'person'],
  ['proxy', 'proxy'],
  ['status', 'proxy'],
  ['snapshots', 'proxy'],
  ['runtime', 'runtime'],
  ['agent', 'agent'],
  ['polling', 'runtime'],
  ['mcp', 'agent'],
  ['tasks', 'agent'],
  ['credentials', 'agent'],
];

test.each(sampled(ENDPOINTS, 5))(
  'a hostile device at %s (%s): a person sends, approves and halts',
  async (endpoint, role) => {
    const relay = await startTestRelay({
      limits: { ledger_bytes_per_day: LEDGER_QUOTA, proxy_ledger_bytes_per_day: LEDGER_QUOTA },
    });
    const owner = await relay.mint('owner');
    const proxy = await relay.connect('proxy');
    const session = { session_id: 'session', agent_type: 'claude', status: 'healthy' };
    proxy.send({ type: 'proxy_session_snapshot', sessions: [session] });
    const person = await relay.connect('person');
    await proxy.settled();
    const before = { memory: process.memoryUsage.rss(), ledger: await ledgerBytes(relay) };
    await attack(relay, endpoint, (await relay.mint(role)).token);
    for (let round = 0; round < ROUNDS; round += 1) await sendAndApprove(person, proxy, round);
    const interrupted = proxy.next('agent_interrupt').then(({ session_id, request_id }) => {
      const command = 'agent_interrupt';
      proxy.send({ type: 'agent_control_result', session_id, request_id, command, result: 'ok' });
    });
    const halted = await fetch(`${relay.url}/api/halt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(halted.status).toBe(200);
    await interrupted;
    expect(process.memoryUsage.rss() - before.memory).toBeLessThan(MOST_MEMORY);
    expect((await ledgerBytes(relay)) - before.ledger).toBeLessThan(2 * LEDGER_QUOTA);
  },
);
