import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ModelRequest, type Reply, startScriptedModel, type ToolCall } from '@drawbridge/testbed';
import { openChat } from './chat-client.ts';
import { homeIn, isConnected, isListening, startProcesses } from './drawbridge-processes.ts';
import { serveHttp } from './http-server.ts';
import { AGENTS, commandOf, NOBODY, namesOf } from './steered-agents.ts';

/** A real agent that a remote person launches with the browser: it looks, presses, is asked about, and does it. */
const [name = 'opencode'] = process.argv.slice(2);
const agent = AGENTS[name];
if (agent === undefined) throw new Error(`node conformance/thread.ts ${Object.keys(AGENTS).join('|')}`);

// Claude's agent refuses to work as root, and only the user of a proxy can open its sockets.
if (agent.program === 'claude-agent-acp' && process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}

const PAGE = `<!doctype html><title>Checkout</title><h1>One lamp</h1>
<button onclick="fetch('/pay', { method: 'POST' }).then(() => { status.textContent = 'Order LO-1001.'; })">Pay 49 €</button>
<p id="status" role="status"></p><script>const status = document.getElementById('status');</script>`;

let paid = 0;
const site = await serveHttp(async (request) => {
  if (request.method === 'POST') paid += 1;
  return new Response(PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } });
});
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-thread-')));
const workspace = join(folder, 'workspace');
mkdirSync(workspace);

/** A tool of ours, which each agent names in another way: in a group, or with a prefix. */
function toolIn(tools: string, ours: string): Pick<ToolCall, 'name' | 'namespace'> | undefined {
  const namespace = /"type":"namespace","name":"(\w*drawbridge)"/.exec(tools)?.[1];
  if (namespace !== undefined) return { name: ours, namespace };
  const name = new RegExp(`"name":"([\\w-]*drawbridge[\\w-]*${ours})"`).exec(tools)?.[1];
  return name === undefined ? undefined : { name };
}

/** Looks, presses Pay, and repeats what the page answered. Agents also ask for titles, without tools. */
function think({ body }: ModelRequest): Reply {
  const tools = JSON.stringify(body['tools'] ?? []);
  const [snapshot, act] = [toolIn(tools, 'snapshot'), toolIn(tools, 'act')];
  const past = JSON.stringify(body['messages'] ?? body['input']);
  if (!tools.includes(agent?.tool ?? '')) return { text: 'A lamp' };
  if (snapshot === undefined || act === undefined)
    return { text: `No browser among ${tools.slice(0, 3_000)}` };
  if (past.includes('LO-1001')) return { text: 'The page answered: order LO-1001.' };
  const id = /(\w+) btn Pay/.exec(past.replaceAll(/\\+n/g, '\n'))?.[1];
  return {
    toolCalls: [
      id === undefined ? { ...snapshot, input: {} } : { ...act, input: { steps: [{ do: 'click', id }] } },
    ],
  };
}

const model = await startScriptedModel(think);
const place = { folder, workspace, baseUrl: model.baseUrl };
const own = agent.prepare(place);
const { start, close } = startProcesses(folder, { ...homeIn(folder), ...own });
/** Every frame that the proxy writes to the agent. */
const frames = join(folder, 'frames.log');
const command = ['sh', '-c', 'tee -a "$0" | "$@"', frames, ...commandOf(agent, place)];

/** Asks at the socket that the agent was given, as any program of this user can. */
async function tokenIn(log: string): Promise<string> {
  const path = /"DRAWBRIDGE_LENT","value":"([^"]+)"/.exec(log)?.[1];
  if (path === undefined) return '';
  const socket = createConnection(path);
  socket.write('\n');
  return JSON.parse(await text(socket)).token ?? '';
}

/** Command lines of every process of the machine. */
const commandLines = (): readonly string[] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return [];
      }
    });

try {
  const browser = ['--headless', '--url', site.url, '--local', site.url];
  const { url, token } = await start(['up', '--port', '0', ...browser], isListening);
  const served = [
    ...['--agent', `${name}=${JSON.stringify(command)}`, '--workspace', workspace],
    ...namesOf(own),
  ];
  await start(['proxy', ...served, '--label', 'studio'], isConnected);
  const person = await openChat(String(url), String(token));
  const api = (path: string, more: RequestInit = {}, bearer = String(token)) =>
    fetch(`${url}${path}`, {
      ...more,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...more.headers },
    });

  const launch = async (request_id: string): Promise<string> => {
    person.send({
      ...{ type: 'launch_session', request_id, agent_type: name, workspace_path: workspace },
      ...{ browser: true, browser_origins: [new URL(site.url).origin] },
    });
    const started = person.next('session_launch_ack', (frame) => frame.request_id === request_id);
    const failed = person.next('session_launch_failed', (frame) => frame.request_id === request_id);
    const ended = await Promise.race([started, failed]);
    if (ended.type === 'session_launch_ack') return ended.session_id;
    throw new Error(`${ended.error_code}: ${ended.reason}`);
  };
  const session_id = await launch('launch').catch((error: unknown) => {
    if (!String(error).includes('launch_timeout')) throw error;
    console.log(`${name}: did not start within 30 s; asked again`);
    return launch('again');
  });
  const agentToken = await tokenIn(readFileSync(frames, 'utf8'));
  ok(agentToken !== '', 'The agent got no token.');
  for (const file of readdirSync(workspace))
    ok(!readFileSync(join(workspace, file), 'utf8').includes('drawbridge'), `${file} names our server.`);
  console.log(`${name}: launched with the browser, and no MCP file on disk`);

  const created_at = new Date().toISOString();
  const content = 'Pay for the lamp.';
  person.send({ type: 'send_message', session_id, client_message_id: 'pay', content, created_at });
  const answered = person.next('message_event', ({ message }) =>
    message.content.includes('The page answered'),
  );
  let asked = 0;
  const answerPrompts = async (): Promise<void> => {
    for (;;) {
      const { prompt_id, prompt_text, choices, session_id: where } = await person.next('permission_prompt');
      strictEqual(where, session_id);
      const isOurs = prompt_id.startsWith('browser_');
      if (isOurs) {
        asked += 1;
        match(prompt_text, /Pay 49/);
        match(prompt_text, new RegExp(`Asked by: ${name}`, 'i'));
        strictEqual(paid, 0, 'The press was made before it was permitted.');
      }
      const choice_id = isOurs
        ? 'once'
        : (choices.find(({ effect }) => effect === 'allow') ?? choices[0])?.choice_id;
      person.send({ type: 'permission_response', request_id: prompt_id, session_id, prompt_id, choice_id });
    }
  };
  await Promise.race([answered, answerPrompts()]);
  strictEqual(paid, 1);
  strictEqual(asked, 1);
  deepStrictEqual(
    commandLines().filter((line) => line.includes(agentToken)),
    [],
  );
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    ok(!readFileSync(path).includes(agentToken), `${path} has the token.`);
  }
  console.log(`${name}: looked, pressed, was asked about, and did it`);

  await person.next('message_event', ({ message }) =>
    message.content.startsWith('Done: Pressed “Pay 49 €”.'),
  );
  person.send({ type: 'history_request', session_id });
  const { messages } = await person.next('history_snapshot');
  // The relay looks at the page itself, before or after the agent's last words. Codex warns of a model that it does not know.
  const aside = /^Done: |^Model metadata/;
  const told = messages.flatMap(({ role, content: words, metadata }) =>
    !aside.test(words) &&
    (role === 'user' || role === 'system' || (role === 'assistant' && metadata?.['details'] === undefined))
      ? [`${role}: ${words.replace(/127\.0\.0\.1:\d+/, 'SITE').replace(/ Allowed by .*/, ' Allowed.')}`]
      : [],
  );
  deepStrictEqual(told, [
    'user: Pay for the lamp.',
    'system: Looked at the page on SITE.',
    'system: Pressed “Pay 49 €” on SITE. Allowed.',
    'assistant: The page answered: order LO-1001.',
  ]);
  console.log(`${name}: every step is in its conversation, in order`);

  const READ = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read', arguments: {} } };
  const asAgent = async () => {
    const headers = { accept: 'application/json, text/event-stream' };
    const answer = await api('/mcp', { method: 'POST', body: JSON.stringify(READ), headers }, agentToken);
    return { status: answer.status, text: await answer.text() };
  };
  match((await asAgent()).text, /One lamp/);
  person.send({ type: 'close_session', request_id: 'close', session_id });
  await person.next('session_closed');
  // The first call after that frame is refused; the credential itself ends when that is stored.
  const { status, text: refused } = await asAgent();
  ok(status === 401 || (refused.includes('"isError":true') && !refused.includes('One lamp')), refused);
  for (let tries = 0; (await asAgent()).status !== 401; tries += 1) ok(tries < 50, 'The token still works.');
  const tabs = await api(`/api/sessions/${session_id}/browser`);
  ok(tabs.status === 404 || (await tabs.json()).lent === false);
  console.log(`${name}: closed, and the token is refused`);
  person.close();
} finally {
  await close();
  await Promise.all([model.close(), site.close()]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
