import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { drawbridge } from '../../test/terminal.ts';

const PING = '{"type":"ping","timestamp":0}';

test('names a valid message by its type', async () => {
  expect(await drawbridge(['wire', 'check', 'tasks'], PING)).toMatchObject({
    code: 0,
    out: ['{"ok":true,"type":"ping"}'],
  });
});

test('reports an invalid message with code, path and text, and reads the rest', async () => {
  const { code, out } = await drawbridge(['wire', 'check', 'tasks'], `{"type":"ping"}\n\n${PING}\n`);
  expect(code).toBe(1);
  expect(JSON.parse(out[0] ?? '')).toEqual({
    ok: false,
    code: 'invalid_message',
    path: 'timestamp',
    message: 'task message: timestamp must be a number from 0; got nothing.',
  });
  expect(out[1]).toBe('{"ok":true,"type":"ping"}');
});

test.each([
  ['bridge', '{"type":"runtime_status","runtime_id":"r"}', 'runtime_status'],
  ['chat', '{"type":"heartbeat","protocol_version":1}', 'heartbeat'],
  ['interact-request', '{"url":"https://a.example","query":"q","interactiveTree":[]}', 'interact_request'],
  ['interact-response', '{"success":true,"data":{"thought":"t","action":"finish()"}}', 'next_step'],
  ['pusher', '{"event":"pusher:ping"}', 'pusher:ping'],
])('%s is a protocol', async (protocol, message, type) => {
  const { out } = await drawbridge(['wire', 'check', protocol], message);
  expect(JSON.parse(out[0] ?? '')).toEqual({ ok: true, type });
});

test('reads messages from a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wire-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'messages.jsonl'), `${PING}\n${PING}\n`);
  const { code, out } = await drawbridge(['wire', 'check', 'tasks', join(folder, 'messages.jsonl')]);
  expect({ code, lines: out.length }).toEqual({ code: 0, lines: 2 });
});

test('names a missing file', async () => {
  const { code, errors } = await drawbridge(['wire', 'check', 'tasks', 'no-such-file']);
  expect(code).toBe(1);
  expect(errors).toContain('Could not read no-such-file');
});

test.each([
  [['wire', 'check'], 'Which protocol?'],
  [['wire', 'check', 'smtp'], 'There is no protocol "smtp".'],
  [['wire', 'check', 'chat', 'a', 'b'], 'Give one FILE'],
  [['wire', 'check', 'chat', '--loud'], "Unknown option '--loud'"],
  [['wrie'], 'There is no command "wrie".'],
])('%j is wrong usage', async (args, complaint) => {
  const { code, errors } = await drawbridge(args);
  expect(code).toBe(2);
  expect(errors).toContain(complaint);
});

test.each([[[]], [['--help']], [['wire', 'check', '--help']]])('%j explains', async (args) => {
  const { code, out } = await drawbridge(args);
  expect(code).toBe(0);
  expect(out.join('\n')).toContain('wire check');
});
