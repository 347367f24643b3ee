import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { startProgram, temporaryFolder } from '../../test/live/program-harness.ts';
import { goTo, lendTab, startTaskRelay } from '../../test/task/task-harness.ts';
import { drawbridge as run, terminalOf } from '../../test/terminal.ts';
import { runTask } from './task-run.ts';

const plan = (first: 'active' | 'completed') => ({
  plan: {
    steps: [
      { id: 'a', index: 0, description: 'Open the teas', status: first },
      { id: 'b', index: 1, description: 'Read the price', status: 'pending' as const },
    ],
    currentStepIndex: 0,
  },
});

test("shows a task's plan and steps, and prints its result", async () => {
  const { relay, drawbridge } = await startTaskRelay(
    { ...goTo('/teas'), ...plan('active') },
    { thought: 'There.', action: 'finish()', result: { price: 4 }, ...plan('completed') },
  );
  void lendTab(relay);
  const { code, out, errors } = await drawbridge(['task', 'What does tea cost?']);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(out.slice(0, -2)).toEqual([
    'Begins at https://shop.example/.',
    ...['Plan', '  1 Open the teas', '  2 Read the price'],
    '✓ Go to https://shop.example/teas',
    '    now at https://shop.example/teas',
    '✓ 1 Open the teas',
  ]);
  expect(out.slice(-2).join('\n')).toMatch(/^Done: 1 of 50 steps, \d+ s\.\nPrice: 4$/);
});

test('the spinner fits a narrow terminal, and is gone at the end', async () => {
  const long = goTo(`/teas?${'x'.repeat(200)}`);
  const { relay, drawbridge } = await startTaskRelay({ ...long, ...plan('active') });
  void lendTab(relay);
  const { written, out } = await drawbridge(['task', 'Look around']);
  const lines = written.map((text) => text.replace('\r\u001b[2K', ''));
  expect(lines.some((line) => /^. Step 1: Go to/u.test(line))).toBe(true);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(44);
  expect(written.at(-1)).toBe('\r\u001b[2K');
  expect(out.at(-1)).toBe('Price: 4');
});

test('the spinner shows the current thought as plain text, cut to its width', async () => {
  const { promise: seen, resolve } = Promise.withResolvers<void>();
  const { relay, drawbridge } = await startTaskRelay(async (think) => {
    think(`The \u001b[2Jteas\nare ${'very '.repeat(40)}cheap`);
    await seen;
    return goTo('/teas');
  });
  void lendTab(relay);
  const { code, text } = await drawbridge(['task', 'Look around'], '', (written) => {
    if (/^. The \\u\{1b\}\[2Jteas are very .*…$/u.test(written.replace('\r\u001b[2K', ''))) resolve();
  });
  expect(code).toBe(0);
  expect(text).not.toContain('very');
});

test('--json prints a thought as a separate line', async () => {
  const { promise: seen, resolve } = Promise.withResolvers<void>();
  const { relay, drawbridge } = await startTaskRelay(async (think) => {
    think('There are teas.');
    await seen;
    return goTo('/teas');
  });
  void lendTab(relay);
  const { code } = await drawbridge(['task', 'Look around', '--json'], '', (line) => {
    if (line === '{"event":"thought","text":"There are teas."}') resolve();
  });
  expect(code).toBe(0);
});

test('a question is answered in the terminal', async () => {
  const { relay, drawbridge, said } = await startTaskRelay({
    ...{ status: 'needs_user_input', userQuestion: 'Which\u001b[2J tea?' },
  });
  void lendTab(relay);
  const { code, text } = await drawbridge(['task', 'Buy tea'], 'Green\n');
  expect(code).toBe(0);
  expect(said).toEqual(['Green']);
  expect(text).toContain('Which\\u{1b}[2J tea?\nYour answer:');
});

test('a result that does not match the schema is a failure, and --json prints one object per line', async () => {
  const { relay, data, drawbridge } = await startTaskRelay();
  void lendTab(relay);
  const schema = join(data, 'schema.json');
  writeFileSync(schema, JSON.stringify({ type: 'object', required: ['name'] }));
  const { code, out } = await drawbridge([
    'task',
    'Find it',
    '--schema',
    schema,
    '--json',
    '--timeout',
    '60',
    ...['--max-steps', '9', '--max-tokens', '7000', '--max-cost', '0.5'],
  ]);
  expect(code).toBe(1);
  const lines = out.map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ event: 'accepted', prompt: 'Find it', timeout: 60_000 });
  expect(lines[0].budget).toEqual({ steps: 9, tokens: 7_000, cost: 0.5, time_ms: 60_000 });
  expect(lines.at(-1)).toMatchObject({ event: 'end', state: 'failed', error: { code: 'invalid_result' } });
});

test('lists, shows and cancels tasks', async () => {
  const { relay, drawbridge } = await startTaskRelay();
  const { token } = (await relay.devices.mint({ roles: ['person'], label: 'Phone', by: 'machine' })) ?? {};
  const response = await fetch(`${relay.url}/api/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ prompt: 'Wait for a browser' }),
  });
  const { task_id } = await response.json();
  expect(await drawbridge(['task', 'list'])).toMatchObject({
    code: 0,
    text: `Wait for a browser\n  queued · just now · 0 steps\n  ${task_id}\n1 task. For more: drawbridge task show ID`,
  });
  expect(JSON.parse((await drawbridge(['task', 'list', '--json'])).text)).toMatchObject({ task_id });
  const start = task_id.slice(0, 12);
  expect(await drawbridge(['task', 'cancel', start])).toMatchObject({
    code: 0,
    text: 'The task is cancelled.',
  });
  const shown = await drawbridge(['task', 'show', start]);
  expect(shown.text).toContain('The task was cancelled after 0 of 50 steps');
  expect(await drawbridge(['task', 'cancel', task_id])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('over'),
  });
  expect(await drawbridge(['task', 'show', 'task_none'])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('task list'),
  });
});

test("writes a task's trace to a file, and replays it", async () => {
  const { relay, data, drawbridge } = await startTaskRelay(goTo('/teas'));
  void lendTab(relay);
  const { task_id } = JSON.parse((await drawbridge(['task', 'Look', '--json'])).out[0] ?? '{}');
  const file = join(data, 'trace.json');
  expect(await drawbridge(['task', 'replay', task_id, '--out', file])).toMatchObject({
    ...{ code: 0, text: `The task’s trace is in ${file}, with 1 act.` },
  });
  expect(await drawbridge(['task', 'replay', file])).toMatchObject({
    ...{ code: 0, text: '✓ Go to https://shop.example/teas\nDone: 1 act.' },
  });
});

test('waits for a person for longer than a call may take, and never says that the relay is away', async () => {
  const { relay, data, said } = await startTaskRelay({
    ...{ status: 'needs_user_input', userQuestion: 'Which tea?' },
  });
  void lendTab(relay);
  const { terminal, out, errors } = terminalOf('');
  const stdin = Object.assign(new Readable({ read() {} }), { isTTY: true });
  const print = (line: string): void => {
    out.push(line);
    if (line.includes('Which tea?')) setTimeout(() => stdin.push('Green\n'), 1.5 * ANSWER_MS);
  };
  const options = { prompt: 'Buy tea', metadata: {}, json: false };
  const code = await runTask(data, options, { ...terminal, print, stdin }, { answerMs: ANSWER_MS });
  expect({ code, said, errors }).toEqual({ code: 0, said: ['Green'], errors: [] });
  expect(out.at(-1)).toBe('Price: 4');
});

/** Longer than a busy machine's relay takes. */
const ANSWER_MS = 1_500;

test('waits for a restarted relay, and follows the task to its end', async () => {
  const { relay, start, drawbridge } = await startTaskRelay(goTo('/teas'));
  const printed = lendTab(relay, true);
  const running = drawbridge(['task', 'Look']);
  await printed;
  await relay.close();
  void lendTab(await start());
  const { code, text, errors } = await running;
  expect({ code, errors }).toEqual({ code: 0, errors: 'No connection to the relay. Trying again…' });
  expect(text).toContain('Goes on after a restart.\n? Go to https://shop.example/teas');
  expect(text).toContain('Done: 1 of 50 steps');
});

test('Ctrl-C cancels the task', async () => {
  const { relay, data } = await startTaskRelay(goTo('/teas'));
  void lendTab(relay, true);
  const program = startProgram(['task', 'Look', '--json', '--data', data]);
  await program.line(({ event, state }) => event === 'state' && state === 'running');
  program.child.kill('SIGINT');
  expect(await program.line(({ event }) => event === 'end')).toMatchObject({ state: 'cancelled' });
  const [code] =
    program.child.exitCode === null ? await once(program.child, 'exit') : [program.child.exitCode];
  expect(code).toBe(1);
});

test('without a relay, shows what to do', async () => {
  const data = temporaryFolder();
  expect(await run(['task', 'Look', '--data', data])).toMatchObject({
    ...{ code: 1, errors: `No relay runs with the folder ${data}. Start it: drawbridge up` },
  });
});

test.each([
  [['task'], 'Give the task in quotes'],
  [['task', 'Buy', 'tea'], 'in quotes'],
  [['task', 'Buy', '--url', 'shop'], '--url takes an http or https address'],
  [['task', 'Buy', '--timeout', '0'], '--timeout takes seconds'],
  [['task', 'Buy', '--max-cost', 'free'], '--max-cost takes a number'],
  [['task', 'Buy', '--schema', '/no/such/file'], 'nothing to read'],
  [['task', 'show'], 'Give the ID of the task'],
  [['task', 'list', 'all'], 'Unexpected argument "all".'],
  [['task', 'replay', 'a', '--out', 'b', '--runtime', 'c'], '--out uses no browser'],
])('%j is wrong usage', async (args, words) => {
  const { code, errors } = await run(args);
  expect(code).toBe(2);
  expect(errors).toContain(words);
});

test('each has its help', async () => {
  for (const name of ['task', 'task list', 'task show', 'task cancel', 'task replay', 'task clients add']) {
    const { code, text } = await run([...name.split(' '), '--help']);
    expect(code).toBe(0);
    expect(text).toContain(`drawbridge ${name}: `);
  }
});

test('connects an extension of the task protocol by the printed address', async () => {
  const data = temporaryFolder();
  const args = ['up', '--no-browser', '--json', '--port', '0', '--data', data];
  const add = ['task', 'clients', 'add', 'Work laptop', '--data', data];
  const without = startProgram(args);
  await without.line(({ event }) => event === 'listening');
  const refused = await run(add);
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('drawbridge up --task-clients') });
  without.child.kill('SIGTERM');
  await without.exited;

  const relay = startProgram([...args, '--task-clients']);
  await relay.line(({ event }) => event === 'listening');
  const { code, text } = await run(add);
  expect({ code, text }).toEqual({
    code: 0,
    text: expect.stringMatching(/^ws:\/\/127[.\d]+:\d+\/\?token=\S+$/),
  });
  const socket = new WebSocket(text);
  await once(socket, 'open');
  socket.close();
  expect((await run(['devices', '--data', data])).text).toContain('Work laptop\n  runtime');
});
