import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startTestRelay } from '../../test/server/test-relay.ts';

/** Lines of a client; -B leaves no compiled modules beside it. */
async function linesOf(client: string, ...args: readonly string[]): Promise<string[]> {
  const path = join(import.meta.dirname, '../../test/contract', client);
  const { stdout } = await promisify(execFile)('python3', ['-B', path, ...args]);
  return stdout.trim().split('\n');
}

test('[CHT-309] [CHT-312] [CHT-313] [CHT-314] [CHT-316] [CHT-318] [CHT-319] [CHT-320] [CHT-321] [CHT-322] [CHT-323] [CHT-324] [CHT-326] [CHT-328] [CHT-337] [CHT-340] [CHT-352] [CHT-353] [CHT-356] [CHT-359] [CHT-371] clients written from the description of the newer frames work in Python', async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  const proxy = await relay.mint('proxy');
  expect(await linesOf('newer_chat_client.py', relay.url, person.token, proxy.token)).toEqual([
    'ok agent types',
    'ok content_blocks',
    'ok partial history',
    'ok history chunks',
    'ok subscribe',
    'ok details as blocks',
    'ok session_patch',
    'ok message_delta',
    'ok chat_list',
    'ok stop receipts',
    'ok stages of a send',
    'ok goals',
    'ok scheduled sends',
    'ok older peers',
  ]);
});

test('[BRG-01] [BRG-39] [BRG-40] [TSK-60] a runtime, an agent and an extension written from the contracts’ text work in Python', async () => {
  const relay = await startTestRelay({ taskClients: true });
  const [runtime, agent, person, owner] = await Promise.all([
    relay.mint('runtime'),
    relay.mint('agent'),
    relay.mint('person'),
    relay.mint('owner'),
  ]);
  const added = await fetch(`${relay.url}/api/task-clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'Python' }),
  });
  const { path } = Object(await added.json());
  const tokens = [runtime.token, agent.token, person.token, String(path)];
  expect(await linesOf('bridge_and_task_clients.py', relay.url, ...tokens)).toEqual([
    'ok execute_task',
    'ok task_rejected',
    'ok runtime_ready',
    'ok action_call',
    'ok action_error',
    'ok dom_event',
    'ok routing and codes',
  ]);
});
