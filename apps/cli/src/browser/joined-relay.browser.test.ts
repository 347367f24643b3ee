import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { connectWebSocket } from '@drawbridge/link';
import { type ChatEvent, connectChat } from '@drawbridge/link/chat';
import type { BridgeItem } from '@drawbridge/protocol';
import { type Relay, type RelayOptions, type Role, startRelay } from '@drawbridge/relay';
import { listenOnLoopback } from '@drawbridge/testbed';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram, temporaryFolder } from '../../test/live/program-harness.ts';

const PATIENT = { timeout: 60_000 };

/** A page with one irreversible button, and a counter of its presses. */
async function startAccount() {
  const account = { deleted: 0, url: '' };
  const server = createServer(({ method }, response) => {
    if (method === 'POST') account.deleted += 1;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<!doctype html><title>Account</title>
      <button style="position: fixed; inset: 0" onclick="fetch('/', { method: 'POST' })">Delete the account</button>`,
    );
  });
  account.url = `http://127.0.0.1:${await listenOnLoopback(server)}/`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return account;
}

async function startRelayHarness(options: Partial<RelayOptions> = {}) {
  const data = temporaryFolder();
  const relay = await startRelay({ data, port: 0, ...options });
  onTestFinished(relay.close);
  const account = await startAccount();
  const lend = () => startProgram(`browser --headless --json --data ${data} --url ${account.url}`.split(' '));
  const isLent = ({ bridge } = relay) =>
    expect.poll(() => bridge.runtimes().map(({ ready }) => ready.url), PATIENT).toEqual([account.url]);
  return { data, relay, account, lend, isLent };
}

const mint = (relay: Relay, role: Role, label: string) =>
  relay.devices.mint({ roles: [role], label, by: 'machine' });

/** A person's client. */
async function startPhone(relay: Relay) {
  const { device, token } = await mint(relay, 'person', 'Phone');
  const url = `${relay.url.replace('http', 'ws')}/ws/chat`;
  const chat = connectChat({ url, token, peer_role: 'browser', client_name: 'test' });
  onTestFinished(chat.close);
  const events: ChatEvent[] = [];
  chat.onEvent((event) => events.push(event));
  await expect.poll(() => chat.state.kind, PATIENT).toBe('open');
  const prompts = () => events.filter((event) => event.type === 'permission_prompt');
  return {
    device_id: device.device_id,
    events,
    prompts,
    /** Resolves with the prompt of that number. */
    async prompt(number: number) {
      await expect.poll(() => prompts().length, PATIENT).toBe(number);
      const prompt = prompts()[number - 1];
      if (prompt === undefined) throw new Error('There is none.');
      return prompt;
    },
    answer: ({ session_id, prompt_id }: { session_id: string; prompt_id: string }, choice_id: string) =>
      chat.request({ type: 'permission_response', session_id, prompt_id, choice_id }),
  };
}

/** The official MCP client at the relay's `/mcp`. */
async function startAgent(relay: Relay, role: Role, decide?: (message: string) => string) {
  const { token } = await mint(relay, role, 'Agent');
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      ...(decide && { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (decide !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: { decision: decide(params.message) },
    }));
  onTestFinished(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${relay.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  const say = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: args });
    return content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n');
  };
  return {
    /** Presses the button and returns the result. */
    async deleteAccount(): Promise<string> {
      const [, id = ''] = /(\S+) \w+ Delete the account/.exec(await say('snapshot', { fresh: true })) ?? [];
      return say('act', { steps: [{ do: 'click', id }] });
    },
  };
}

test('[BRG-128] [BRG-129] [BRG-162] [BRG-167] an irreversible action in a joined browser waits for the phone’s answer to that call', async () => {
  const { relay, account, lend, isLent, data } = await startRelayHarness();
  const { device_id } = await lend().line(({ event }) => event === 'joined');
  await isLent();
  const phone = await startPhone(relay);
  const { deleteAccount } = await startAgent(relay, 'agent');

  const allowed = deleteAccount();
  const first = await phone.prompt(1);
  expect(first).toMatchObject({
    session_id: expect.stringMatching(/^browser_agent_.*_test-client$/),
    prompt_text: expect.stringContaining('Delete the account'),
  });
  expect(account.deleted).toBe(0);
  await phone.answer(first, 'once');
  expect(await allowed).not.toContain('permission_denied');
  await expect.poll(() => account.deleted, PATIENT).toBe(1);
  expect(await relay.ledger.prompt(first.session_id, first.prompt_id)).toMatchObject({
    state: 'answered',
    answer: { device_id: phone.device_id, label: 'Phone', choice_id: 'once' },
  });

  const refused = deleteAccount();
  const second = await phone.prompt(2);
  await expect(phone.answer(first, 'once')).rejects.toMatchObject({ code: 'prompt_not_found' });
  await phone.answer(second, 'deny');
  expect(await refused).toContain('permission_denied');
  expect(account.deleted).toBe(1);
  expect((await relay.ledger.device(String(device_id)))?.label).toBe(`Browser on ${hostname()}`);
  expect(statSync(join(data, 'browser-device.json')).mode & 0o777).toBe(0o600);
});

test('[BRG-166] [BRG-167] is not done unanswered; a person’s MCP client is asked before the phone, an agent’s is not', async () => {
  const { relay, account, lend, isLent } = await startRelayHarness();
  lend();
  await isLent();
  const phone = await startPhone(relay);

  const { token } = await mint(relay, 'agent', 'Impatient');
  const socket = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/agent`, token });
  onTestFinished(socket.close);
  const received: BridgeItem[] = [];
  socket.onItem((item) => received.push(item));
  const press = { name: 'pointer.click', arguments: { x: 50, y: 50 } };
  socket.send({ type: 'action_call', call_id: 'c1', ...press, timeout_ms: 15_000 });
  const { prompt_id } = await phone.prompt(1);
  const expired = expect.objectContaining({ type: 'permission_prompt_expired', prompt_id });
  await expect.poll(() => phone.events, PATIENT).toContainEqual(expired);
  await expect
    .poll(() => received.find((item) => 'call_id' in item && item.call_id === 'c1'), PATIENT)
    .toMatchObject({ type: 'action_error' });
  expect(account.deleted).toBe(0);

  const asked: string[] = [];
  const allow = (message: string) => {
    asked.push(message);
    return 'once';
  };
  const agent = await startAgent(relay, 'agent', allow);
  const refused = agent.deleteAccount();
  await phone.answer(await phone.prompt(2), 'deny');
  expect(await refused).toContain('permission_denied');
  expect({ asked, deleted: account.deleted }).toEqual({ asked: [], deleted: 0 });

  const person = await startAgent(relay, 'person', allow);
  await person.deleteAccount();
  await expect.poll(() => account.deleted, PATIENT).toBe(1);
  expect(asked).toEqual([expect.stringContaining('Delete the account')]);
  expect(phone.prompts()).toHaveLength(2);
});

test('[CHT-93] [BRG-167] works over TLS; returns as the same device, and ends when that is revoked', async () => {
  const { relay, data, account, lend, isLent } = await startRelayHarness({ tls: 'self-signed' });
  const first = lend();
  const { device_id } = await first.line(({ event }) => event === 'joined');
  await first.line(({ event, url }) => event === 'runtime' && url === account.url);
  await isLent();
  first.child.kill('SIGINT');
  expect(await first.exited).toEqual([0, null]);

  const again = lend();
  expect(await again.line(({ event }) => event === 'joined')).toMatchObject({ device_id });
  await isLent();
  await relay.devices.revoke(String(device_id), 'machine');
  expect(await again.exited).toEqual([1, null]);
  expect(JSON.parse(readFileSync(join(data, 'browser-device.json'), 'utf8'))).toMatchObject({ device_id });

  const anew = await lend().line(({ event }) => event === 'joined');
  expect(anew['device_id']).not.toBe(device_id);
});

test('a restarted relay finds the browser again', async () => {
  const { relay, data, lend, isLent } = await startRelayHarness();
  const program = lend();
  await isLent();
  await relay.close();
  await program.line(({ event, state }) => event === 'relay' && state === 'away');
  const next = await startRelay({ data, port: relay.port });
  onTestFinished(next.close);
  await program.line(({ event, state }) => event === 'relay' && state === 'back');
  await isLent(next);
});
