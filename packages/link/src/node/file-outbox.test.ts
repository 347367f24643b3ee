import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SendFrame } from '../chat/chat-link.ts';
import { fileOutbox } from './file-outbox.ts';

const message = (client_message_id: string): SendFrame => ({
  type: 'send_message',
  protocol_version: 1,
  client_message_id,
  session_id: 's',
  created_at: '2026-03-19T10:15:30.000Z',
  content: `Hello from ${client_message_id}`,
});

const newFolder = async () => join(await mkdtemp(join(tmpdir(), 'outbox-')), 'unanswered');

test('[CHT-135] keeps a message for the next process, in order, until it is removed', async () => {
  const folder = await newFolder();
  const outbox = fileOutbox(folder);
  expect(await outbox.load()).toEqual([]);
  for (const id of ['0002', '0001', '0003']) await outbox.put(message(id));
  await outbox.remove('0002');
  await outbox.remove('0002');
  expect(await fileOutbox(folder).load()).toEqual([message('0001'), message('0003')]);
  expect((await stat(join(folder, '0001.json'))).mode & 0o777).toBe(0o600);
});

test('does not send a partly written, damaged or invalid message', async () => {
  const folder = await newFolder();
  const outbox = fileOutbox(folder);
  await outbox.put(message('0001'));
  await writeFile(join(folder, '0000.json.new'), JSON.stringify(message('0000')).slice(0, 20));
  await writeFile(join(folder, '0002.json'), '{"type":"send_message"');
  await writeFile(join(folder, '0003.json'), JSON.stringify({ ...message('0003'), type: 'heartbeat' }));
  await writeFile(join(folder, '0004.json'), JSON.stringify({ ...message('0004'), content: '' }));
  expect(await outbox.load()).toEqual([message('0001')]);
});

test('refuses an id that leads out of the folder', async () => {
  const folder = await newFolder();
  await expect(fileOutbox(folder).put(message('../escaped'))).rejects.toThrow(/cannot be a file's name/);
  expect(await readdir(join(folder, '..'))).toEqual([]);
});
