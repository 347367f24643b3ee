import { readdirSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ActionCall } from '@drawbridge/protocol';
import type { TestRelay } from '@drawbridge/relay/test/server/test-relay';
import { expect, test } from 'vitest';
import { activity, launch, message, send, startProxy, startProxyHarness } from './proxy-harness.ts';

/** A tab that answers every call with the same text, at once or when it is told to. */
function lendTab(relay: TestRelay, isPrompt = true) {
  const calls: ActionCall[] = [];
  const open: ActionCall[] = [];
  const runtime_id = 'tab_1';
  const tab = relay.bridge.connectRuntime({
    send(item) {
      if (item.type !== 'action_call') return;
      calls.push(item);
      open.push(item);
      if (isPrompt) answer();
    },
  });
  const output = { text: 'The lamp is 49 €.' };
  const answer = (): void => {
    for (const { call_id } of open.splice(0))
      tab.receive({ type: 'action_call_output', call_id, runtime_id, output });
  };
  const url = 'https://shop.example/lamps';
  tab.receive({ type: 'runtime_ready', runtime_id, url, capabilities: ['page.read'] });
  return { calls, answer };
}

test.each(['resume', 'load'] as const)(
  '[CHT-329] [CHT-331] an agent reads a lent tab in its own conversation, also after a restart by session/%s',
  async (way) => {
    const faulty = way === 'load' ? { agent: { fault: way } } : {};
    const { person, relay, device, folder, agent, close } = await startProxyHarness(faulty);
    const { calls } = lendTab(relay);
    const session_id = await launch(person, { browser: true });
    send(person, session_id, 'say I look; tool read');
    await message(person, (content) => content === 'Looked at the page on shop.example.');
    const answer = await message(person, (content) => content.startsWith('answer:'));
    expect(answer.content).toContain('The lamp is 49 €.');
    await activity(person, 'idle');
    await close();
    await startProxy({ relay, device, folder, agent });
    send(person, session_id, 'tool read');
    await message(person, (content) => content.includes('The lamp is 49 €.'));
    expect(calls).toHaveLength(2);
    person.send({ type: 'history_request', session_id });
    const { messages } = await person.next('history_snapshot');
    const words = messages.flatMap(({ role, content, metadata }) =>
      JSON.stringify(metadata ?? {}).includes('tool_call') ? [] : `${role}: ${content.slice(0, 20)}`,
    );
    expect(words).toEqual([
      'user: say I look; tool rea',
      'assistant: I look',
      'system: Looked at the page o',
      expect.stringContaining('assistant: answer:'),
      'user: tool read',
      'system: Looked at the page o',
      expect.stringContaining('assistant: answer:'),
    ]);
  },
);

test('[CHT-329] an agent launched against the browser gets no server', async () => {
  const { person } = await startProxyHarness();
  const session_id = await launch(person, { browser: false });
  send(person, session_id, 'tool read');
  await message(person, (content) => content === 'no server');
});

test('[CHT-361] an agent launched with neither asks with its first call; a no answers it, a person lends later, and takes back', async () => {
  const { person, relay } = await startProxyHarness();
  const { calls } = lendTab(relay);
  const session_id = await launch(person);
  send(person, session_id, 'tool read');
  const asked = await person.next('permission_prompt');
  expect(asked.prompt_text.split('\n')).toEqual([
    'scripted wants to use the browser.',
    'Where: https://shop.example',
    'Asked by: scripted',
  ]);
  const respond = (choice_id: string, { prompt_id }: { readonly prompt_id: string }) =>
    person.send({ type: 'permission_response', request_id: prompt_id, session_id, prompt_id, choice_id });
  respond('deny', asked);
  await message(person, (content) => content.includes('The person has not lent you the browser'));
  // No second question: only a person changes it.
  send(person, session_id, 'tool read');
  await message(person, (content) => content.includes('The person has not lent you the browser'));
  const owner = await relay.mint('owner');
  const browser = async (method: string, body?: object) => {
    const answer = await fetch(`${relay.url}/api/sessions/${session_id}/browser`, {
      method,
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json().catch(() => undefined) };
  };
  expect((await browser('GET')).body).toEqual({ lent: false, taken: true });
  expect((await browser('PUT', { origins: ['https://shop.example/path'] })).status).toBe(400);
  expect((await browser('PUT', {})).status).toBe(204);
  send(person, session_id, 'tool read');
  await message(person, (content) => content.includes('The lamp is 49 €.'));
  expect((await browser('DELETE')).status).toBe(204);
  send(person, session_id, 'tool read');
  await message(person, (content) => /taken back|has not lent you/.test(content));
  expect((await browser('PUT', { origins: ['https://shop.example'] })).status).toBe(204);
  send(person, session_id, 'tool read');
  await message(person, (content) => content.includes('The lamp is 49 €.'));
  expect(calls).toHaveLength(2);
});

test('[CHT-361] a stop withdraws the question, and a yes lends for this session alone', async () => {
  const { person, relay } = await startProxyHarness();
  lendTab(relay);
  const session_id = await launch(person);
  send(person, session_id, 'tool read');
  await person.next('permission_prompt');
  person.send({ type: 'agent_interrupt', request_id: 'stop', session_id });
  await person.next('permission_prompt_expired');
  send(person, session_id, 'tool read');
  const again = await person.next('permission_prompt');
  const { prompt_id } = again;
  person.send({ type: 'permission_response', request_id: 'yes', session_id, prompt_id, choice_id: 'lend' });
  await message(person, (content) => content.includes('The lamp is 49 €.'));
  const other = await launch(person);
  send(person, other, 'tool read');
  expect(await person.next('permission_prompt')).toMatchObject({ session_id: other });
});

/** Command lines or environments of the machine's processes, where this user can read them. */
const processes = (file: 'cmdline' | 'environ'): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, 'utf8');
      } catch {
        return [];
      }
    });

test.runIf(process.platform === 'linux')(
  '[CHT-329] the token of an agent that repeats its servers in arguments is in no command line, environment or file',
  async () => {
    const { person, relay, folder } = await startProxyHarness({ agent: { fault: 'argv' } });
    const { calls, answer } = lendTab(relay, false);
    const session_id = await launch(person, { browser: true });
    send(person, session_id, 'tool read');
    await expect.poll(() => calls.length).toBe(1);
    const config = processes('cmdline').find(
      (line) => line.includes('--mcp-config') && line.includes('DRAWBRIDGE_LENT'),
    );
    const path = /"DRAWBRIDGE_LENT":"([^"]+)"/.exec(config ?? '')?.[1] ?? '';
    // A process of the same user can ask at that path, and so learns what to look for.
    const socket = createConnection(path);
    socket.write('\n');
    const { token } = JSON.parse(await text(socket));
    const read = await fetch(`${relay.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(read.status).not.toBe(401);
    expect(processes('cmdline').filter((line) => line.includes(token))).toEqual([]);
    expect(processes('environ').filter((line) => line.includes(token))).toEqual([]);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    expect(files.map((each) => each.name)).toContain('log');
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name)).includes(token), name).toBe(false);
    answer();
    await message(person, (content) => content.includes('The lamp is 49 €.'));
    person.send({ type: 'close_session', request_id: 'close', session_id });
    await person.next('session_closed');
    // The socket ends with the agent.
    await expect
      .poll(() =>
        text(createConnection(path)).then(
          () => 'there',
          () => 'gone',
        ),
      )
      .toBe('gone');
  },
);
