import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import { expect, onTestFinished, test } from 'vitest';
import { codeOf, testAdapter, watch } from '../../test/adapter.contract.ts';
import { scriptedAgent } from '../scripted-agent/scripted-agent.ts';
import { createAcpAdapter } from './acp-adapter.ts';
import { type AcpProfile, customProfile } from './profiles.ts';

async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'acp-')));
}

let ids = 0;
function adapterOf(profile: AcpProfile, folder: string, earlierSessions = 0) {
  return createAcpAdapter({
    ...systemClock,
    profile,
    workspaces: [folder],
    attachments: join(folder, 'attachments'),
    promptTimeoutMs: 60_000,
    earlierSessions,
    newId: () => {
      ids += 1;
      return `id_${ids}`;
    },
  });
}

interface SetUp {
  readonly isLasting?: boolean;
  readonly fault?: 'silent' | 'bare';
  readonly script?: string;
}

async function setUp(options: SetUp = {}) {
  const folder = await temporaryFolder();
  const agent = scriptedAgent({
    log: join(folder, 'log'),
    ...(options.isLasting !== false && { home: join(folder, 'home') }),
    ...(options.fault && { fault: options.fault }),
    ...(options.script && { script: options.script }),
  });
  const profile = { ...customProfile('scripted', agent.command), env: agent.env };
  return { folder, agent, profile, adapter: adapterOf(profile, folder) };
}

const launching = (workspace: string) => ({ workspace, signal: new AbortController().signal });

testAdapter('an ACP agent', async () => {
  const { folder, agent, profile, adapter } = await setUp();
  return {
    adapter,
    workspace: folder,
    restarted: () => adapterOf(profile, folder),
    taken: () => agent.taken().map(({ text }) => text),
    close: async () => {
      await adapter.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});

test('[CHT-248] [CHT-253] an agent that offers no models has none to change, and none is guessed', async () => {
  const { folder, adapter } = await setUp({ fault: 'bare' });
  onTestFinished(adapter.close);
  const target = await adapter.launch(launching(folder));
  expect(await target.configuration()).toEqual({ model_id: 'unknown' });
  expect(target.powers.has('set_model')).toBe(false);
  expect(await codeOf(target.configure({ model: 'large' }))).toBe('control_not_supported');
});

test('[CHT-208] an agent that is not installed, or does not speak ACP, is not open', async () => {
  const folder = await temporaryFolder();
  const missing = adapterOf(customProfile('missing', ['no-such-program-here']), folder);
  expect(await codeOf(missing.launch(launching(folder)))).toBe('agent_not_open');
  expect(await missing.diagnose()).toMatchObject([
    { ok: false, what: 'no-such-program-here is not on the PATH' },
  ]);
  const deaf = adapterOf(customProfile('deaf', [process.execPath, '-e', 'process.exit(4)']), folder);
  expect(await codeOf(deaf.launch(launching(folder)))).toBe('agent_not_open');
  expect(await deaf.diagnose()).toMatchObject([
    { ok: true },
    { ok: false, what: expect.stringContaining('code 4') },
  ]);
});

test('[CHT-207] gives up on an agent that never answers the handshake, and ends it', async () => {
  const { folder, adapter } = await setUp({ fault: 'silent' });
  onTestFinished(adapter.close);
  const hasty = { workspace: folder, signal: AbortSignal.timeout(300) };
  expect(await codeOf(adapter.launch(hasty))).toBe('launch_timeout');
});

test('reports a crash, and continues the conversation in another process', async () => {
  const { folder, adapter, agent } = await setUp();
  onTestFinished(adapter.close);
  const watched = watch(await adapter.launch(launching(folder)));
  await watched.target.inject({ text: 'say one; crash', attachments: [] });
  const notes = () => watched.messages().flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  await watched.until(() => notes().length === 2);
  expect(notes()).toEqual([
    expect.stringContaining('ended unexpectedly: it ended with code 3'),
    'The agent was restarted, and the conversation continues.',
  ]);
  await watched.target.inject({ text: 'say two', attachments: [] });
  expect(new Set(agent.taken().map(({ pid }) => pid)).size).toBe(2);
  expect(new Set(agent.taken().map(({ session }) => session)).size).toBe(1);
});

/** Ends in its turn, and a child of it writes a tool call and words after that. */
const hauntedAgent: readonly [string, ...string[]] = [
  process.execPath,
  '-e',
  `
    const results = {
      initialize: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
      'session/new': { sessionId: 's' },
      'session/load': {},
    };
    const update = (update) =>
      JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } }) + '\\n';
    const late =
      update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'npm test', status: 'in_progress' }) +
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'late words' } });
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const answer = method in results ? { result: results[method] } : { error: { code: -32601, message: '' } };
      if (method !== 'session/prompt') return process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
      const child = 'setTimeout(() => process.stdout.write(process.argv[1]), 500)';
      require('node:child_process').spawn(process.execPath, ['-e', child, late], { stdio: ['ignore', 'inherit', 'ignore'] });
      process.exit(3);
    });
  `,
];

test('a tool call that is read after the agent has ended is not left running', async () => {
  const folder = await temporaryFolder();
  const adapter = adapterOf(customProfile('haunted', hauntedAgent), folder);
  onTestFinished(adapter.close);
  const watched = watch(await adapter.launch(launching(folder)));
  await watched.target.inject({ text: 'go', attachments: [] }).catch(() => undefined);
  await watched.until(() => watched.messages().some(({ content }) => content === 'late words'));
  expect(watched.messages().filter(({ content }) => content.includes('npm test'))).toEqual([]);
});

/** Ends its turn and begins the next one in a single write. */
const queueingAgent = (outcome: object): readonly [string, ...string[]] => [
  process.execPath,
  '-e',
  `
    const write = (...messages) =>
      process.stdout.write(messages.map((each) => JSON.stringify({ jsonrpc: '2.0', ...each }) + '\\n').join(''));
    const say = (text) => ({
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
    });
    const results = { initialize: { protocolVersion: 1, agentCapabilities: {} }, 'session/new': { sessionId: 's' } };
    let first;
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (method !== 'session/prompt') {
        write(method in results ? { id, result: results[method] } : { id, error: { code: -32601, message: '' } });
      } else if (first === undefined) {
        first = id;
        write(say('one'));
      } else {
        write({ id: first, ...${JSON.stringify(outcome)} }, say('two'), { id, result: { stopReason: 'end_turn' } });
      }
    });
  `,
];

test.each([
  ['ends', { result: { stopReason: 'end_turn' } }, ['one', 'two']],
  ['fails', { error: { code: -32_603, message: 'over' } }, ['one', 'The agent failed: over', 'two']],
])(
  '[CHT-350] a message that is sent while the agent is busy is answered in a separate message: the first turn %s',
  async (_, outcome, expected) => {
    const folder = await temporaryFolder();
    const adapter = adapterOf(customProfile('queueing', queueingAgent(outcome)), folder);
    onTestFinished(adapter.close);
    const watched = watch(await adapter.launch(launching(folder)));
    const contents = () => watched.messages().map(({ content }) => content);
    await watched.target.inject({ text: 'first', attachments: [] });
    await watched.until(() => contents().length === 1);
    await watched.target.inject({ text: 'second', attachments: [] });
    await watched.idle();
    expect(contents()).toEqual(expected);
  },
);

test('the agent with a fixed script plays one turn at a time, and a stop ends those that wait', async () => {
  const { folder, adapter } = await setUp({ script: 'say one; slow npm test' });
  onTestFinished(adapter.close);
  const { target, ...watched } = watch(await adapter.launch(launching(folder)));
  await target.inject({ text: 'first', attachments: [] });
  await target.inject({ text: 'second', attachments: [] });
  await watched.until(() => target.describe().activity.kind === 'running_command');
  await target.interrupt();
  await watched.idle();
  const contents = watched.messages().map(({ content }) => content);
  expect(contents.filter((content) => content.includes('one'))).toEqual(['one']);
});

test('[CHT-350] an agent that cannot be started again is not reported as if its machine were away', async () => {
  const { folder, adapter } = await setUp();
  onTestFinished(adapter.close);
  const watched = watch(await adapter.launch(launching(folder)));
  const ready = join(folder, 'ready');
  await watched.target.inject({ text: `hold ${ready}; crash`, attachments: [] });
  await rm(join(folder, 'home'), { recursive: true });
  await writeFile(ready, '');
  await watched.until(() => watched.messages().some(({ content }) => content.includes('not be restarted')));
  expect(watched.target.describe().status).toBe('degraded');
});

test('ends the session when an agent that stores nothing crashes', async () => {
  const { folder, adapter } = await setUp({ isLasting: false });
  onTestFinished(adapter.close);
  const watched = watch(await adapter.launch(launching(folder)));
  expect(watched.target.describe().lasting).toBe(false);
  await watched.target.inject({ text: 'say one; crash', attachments: [] });
  await watched.until(() => watched.seen.some(({ kind }) => kind === 'gone'));
  expect(await codeOf(watched.target.inject({ text: 'say two', attachments: [] }))).toBe(
    'send_injection_failed',
  );
});

test('tool calls, diffs, plans, thoughts and usage keep their structure', async () => {
  const { folder, adapter } = await setUp();
  onTestFinished(adapter.close);
  const watched = watch(await adapter.launch(launching(folder)));
  await watched.target.inject({ text: 'think hm; diff; plan; usage; refuse', attachments: [] });
  await watched.until(() => watched.messages().some(({ content }) => content.includes('refuses')));
  expect(watched.messages().map(({ role, content, details }) => ({ role, content, details }))).toEqual([
    { role: 'assistant', content: 'hm', details: { kind: 'thought' } },
    {
      role: 'assistant',
      content: 'Edit notes.txt (completed)\n/notes.txt',
      details: {
        kind: 'tool_call',
        tool_call_id: expect.any(String),
        title: 'Edit notes.txt',
        tool_kind: 'edit',
        status: 'completed',
        diffs: [{ path: '/notes.txt', old_text: 'old\n', new_text: 'new\n' }],
      },
    },
    {
      role: 'assistant',
      content: '[x] look\n[>] do\n[ ] tell',
      details: {
        kind: 'plan',
        steps: [
          { text: 'look', status: 'completed' },
          { text: 'do', status: 'active' },
          { text: 'tell', status: 'pending' },
        ],
      },
    },
    {
      role: 'system',
      content: '1200 of 200000 tokens of the window are used.',
      details: { kind: 'usage', used: 1_200, size: 200_000 },
    },
    { role: 'system', content: 'The agent refuses to go on.', details: undefined },
  ]);
});

test("reports an agent's error: as a failed send before delivery, in the chat after it", async () => {
  const { folder, adapter } = await setUp();
  onTestFinished(adapter.close);
  const watched = watch(await adapter.launch(launching(folder)));
  await watched.target.inject({ text: 'say well; fail over', attachments: [] });
  await watched.until(() => watched.messages().some(({ content }) => content === 'The agent failed: over'));
  expect(watched.target.describe().activity.kind).toBe('idle');
});

test("shows the agent's earlier sessions with their messages on request", async () => {
  const { folder, profile, adapter } = await setUp();
  const first = watch(await adapter.launch(launching(folder)));
  await first.target.inject({ text: 'say remember', attachments: [] });
  await first.until(() => first.messages().some(({ content }) => content.includes('remember')));
  await first.idle();
  await adapter.close();
  const later = adapterOf(profile, folder, 5);
  onTestFinished(later.close);
  const [target, ...others] = await later.discover([]);
  expect(others).toEqual([]);
  if (target === undefined) throw new Error('It was not listed.');
  expect(target.signature).toBe(first.target.signature);
  const again = watch(target);
  await target.configuration();
  expect(again.messages().map(({ role, content }) => [role, content])).toEqual([
    ['user', 'say remember'],
    ['assistant', 'remember'],
  ]);
});

test('ends an agent that is still starting when its adapter is closed', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const began = Promise.withResolvers<number>();
  const ended: number[] = [];
  const adapter = createAcpAdapter({
    ...systemClock,
    profile: customProfile('mute', [process.execPath, '-e', 'setInterval(() => {}, 1_000)']),
    workspaces: [folder],
    attachments: folder,
    promptTimeoutMs: undefined,
    newId: () => 'id',
    register: { began: async (pid) => began.resolve(pid), ended: (pid) => void ended.push(pid) },
  });
  const launched = codeOf(adapter.launch({ workspace: folder, signal: AbortSignal.timeout(60_000) }));
  const pid = await began.promise;
  await adapter.close();
  expect(ended).toEqual([pid]);
  expect(await launched).toBe('launch_timeout');
});
