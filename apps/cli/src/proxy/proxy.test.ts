import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ProxyEvent } from '@drawbridge/proxy';
import { scriptedAgent } from '@drawbridge/proxy/scripted-agent';
import { expect, test, vi } from 'vitest';
import { startProgram, temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge, terminalOf } from '../../test/terminal.ts';
import { createProxyLog } from './proxy-log.ts';

/** Tests start child processes on a busy machine. */
const named = (options = {}): string => `scripted=${JSON.stringify(scriptedAgent(options).command)}`;

test.each([
  [['proxy', '--agent', 'cobol'], 'none of claude, codex, gemini, opencode, copilot'],
  [['proxy', '--agent', '=x'], '--agent takes NAME or NAME=COMMAND'],
  [['proxy', '--agent', 'a=[1]'], 'no JSON list of words'],
  [['proxy', '--relay', 'here'], '--relay takes an address'],
  [['proxy', '--earlier', 'all'], '--earlier takes a number'],
  [['proxy', 'now'], 'Unexpected argument "now".'],
  [['proxy', 'service', 'runit'], 'systemd or launchd, not "runit"'],
])('%j is refused, and says why', async (args, why) => {
  const { code, errors } = await drawbridge([...args, '--data', temporaryFolder()]);
  expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining(why) });
});

test('without a relay, shows how to get one', async () => {
  const data = temporaryFolder();
  const { code, errors } = await drawbridge(['proxy', '--agent', named(), '--data', data]);
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('drawbridge up') });
  const elsewhere = await drawbridge([
    'proxy',
    '--agent',
    named(),
    '--data',
    data,
    '--relay',
    'http://127.0.0.1:9',
  ]);
  expect(elsewhere.errors).toContain('drawbridge pair --role proxy');
});

test('a service runs the same command, with any characters in its arguments', async () => {
  const words = ['--workspace', '/a "b" $HOME 100% <c>'];
  const systemd = await drawbridge(['proxy', 'service', 'systemd', ...words]);
  expect(systemd.text).toContain('"proxy" "--workspace" "/a \\"b\\" $$HOME 100%% <c>"\n');
  const launchd = await drawbridge(['proxy', 'service', 'launchd', ...words]);
  expect(launchd.text).toContain('<string>/a "b" $HOME 100% &lt;c&gt;</string>');
});

test('the doctor reports problems of each agent and the relay, with fixes', async () => {
  const data = temporaryFolder();
  const options = ['--agent', named(), '--agent', 'gone=no-such-program', '--data', data];
  vi.stubEnv('CANARY_OF_TEST', 'never-shown');
  const { code, out } = await drawbridge(['proxy', 'doctor', ...options, '--json']);
  vi.unstubAllEnvs();
  expect(code).toBe(1);
  expect(out.join()).not.toContain('never-shown');
  expect(out.map((line) => JSON.parse(line))).toEqual([
    { about: 'scripted', ok: true, what: expect.stringContaining(process.execPath) },
    { about: 'scripted', ok: true, what: 'it speaks ACP 1 as scripted 1.0.0' },
    { about: 'scripted', ok: false, what: expect.stringContaining('end with its process') },
    { about: 'gone', ok: false, what: 'no-such-program is not on the PATH', hint: expect.any(String) },
    ...environment(),
    { about: 'relay', ok: false, what: expect.stringContaining('No relay runs') },
  ]);
});

test('the doctor gives the exact command that installs an agent', async () => {
  const data = temporaryFolder();
  vi.stubEnv('PATH', data);
  const { out } = await drawbridge([
    ...['proxy', 'doctor', '--json', '--data', data],
    ...['claude', 'codex', 'gemini', 'opencode', 'copilot'].flatMap((name) => ['--agent', name]),
  ]);
  vi.unstubAllEnvs();
  const hints = out
    .map((line) => JSON.parse(line))
    .flatMap(({ about, what, hint }) => (/ is not on the PATH$/.test(what) ? [[about, hint]] : []));
  expect(Object.fromEntries(hints)).toEqual({
    claude: 'npm install -g @agentclientprotocol/claude-agent-acp',
    codex: 'npm install -g @zed-industries/codex-acp',
    gemini: 'npm install -g @google/gemini-cli',
    opencode: 'npm install -g opencode-ai',
    copilot: 'npm install -g @github/copilot',
  });
});

const environment = () => [
  {
    about: 'environment',
    ok: true,
    what: expect.stringMatching(/^agents start without .*CANARY_OF_TEST/),
    hint: expect.stringContaining('--env NAME'),
  },
];

test('joins the relay of its folder as a device, and ends when that is revoked', async () => {
  const data = temporaryFolder();
  const up = startProgram(['up', '--no-browser', '--json', '--port', '0', '--data', data]);
  await up.line(({ event }) => event === 'listening');
  const args = [
    'proxy',
    '--agent',
    named(),
    '--workspace',
    data,
    '--data',
    data,
    '--json',
    '--label',
    'studio',
  ];
  const first = startProgram(args);
  await first.line(({ event, state }) => event === 'relay' && state === 'open');
  expect(first.output[0]).toMatchObject({ event: 'serving', machine_label: 'studio', agents: ['scripted'] });
  expect(statSync(join(data, 'proxy-device.json')).mode & 0o777).toBe(0o600);
  const device = JSON.parse(readFileSync(join(data, 'proxy-device.json'), 'utf8'));

  const second = await drawbridge(args);
  expect(second).toMatchObject({ code: 1, errors: expect.stringContaining('Another proxy uses') });

  await drawbridge(['devices', '--revoke', device.device_id, '--data', data]);
  expect(await first.exited).toEqual([1, null]);
});

test('pairs with a remote relay by link once, and then needs only its address', async () => {
  const relayData = temporaryFolder();
  const data = temporaryFolder();
  const up = startProgram(['up', '--no-browser', '--json', '--port', '0', '--data', relayData]);
  const { url } = await up.line(({ event }) => event === 'listening');
  const paired = await drawbridge(['pair', '--role', 'proxy', '--json', '--data', relayData]);
  const { pair_url } = JSON.parse(paired.text);
  const ways = [
    { args: ['--token', '-'], typed: pair_url },
    { args: ['--relay', String(url)], typed: '' },
  ];
  for (const way of ways) {
    const args = ['proxy', ...way.args, '--agent', named(), '--workspace', data, '--data', data];
    const program = startProgram([...args, '--json']);
    program.child.stdin?.end(`${way.typed}\n`);
    await program.line(({ event, state }) => event === 'relay' && state === 'open');
    expect(program.output[0]).toMatchObject({ event: 'serving', url });
    program.child.kill('SIGTERM');
    expect(await program.exited).toEqual([0, null]);
  }
  vi.stubEnv('DRAWBRIDGE_TOKEN', pair_url);
  const spent = await drawbridge(['proxy', '--agent', named(), '--data', temporaryFolder()]);
  vi.unstubAllEnvs();
  expect(spent).toMatchObject({ code: 1, errors: expect.stringContaining('refused the link') });
});

test('prints each change once, in narrow lines', () => {
  const { terminal, out, errors } = terminalOf('');
  const log = createProxyLog(false, terminal, () => Date.parse('2026-01-01T12:00:00Z'));
  const session = {
    session_id: 's',
    agent_type: 'unknown',
    status: 'healthy',
    display_name: 'The shop\u001b[2J',
    workspace_name: 'shop',
    activity: { kind: 'generating' },
  } as const;
  const at = '2026-01-01T12:00:00Z';
  const events: readonly ProxyEvent[] = [
    { event: 'relay', state: 'open' },
    { event: 'session', session },
    { event: 'session', session },
    { event: 'delivery', session_id: 's', client_message_id: 'm', result: 'delivered', at },
    { event: 'alarm', message: 'Another proxy speaks for s.' },
    { event: 'closed', session_id: 's', reason: 'user_requested' },
  ];
  for (const event of events) log.print(event);
  expect(out.map((line) => line.slice(9))).toEqual([
    'Connected to the relay.',
    'The shop\\u{1b}[2J… healthy   generating',
    expect.stringMatching(/^The shop.* healthy {3}generating {7}delivered \d\d:\d\d:\d\d$/),
    'The shop\\u{1b}[2J is closed (user_requested).',
  ]);
  expect(out.every((line) => line.length <= 80)).toBe(true);
  expect(errors).toEqual(['ALARM: Another proxy speaks for s.']);
});
