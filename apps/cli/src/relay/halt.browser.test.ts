import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectWebSocket } from '@drawbridge/link';
import type { BridgeItem } from '@drawbridge/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram, temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge } from '../../test/terminal.ts';

const GRANT = {
  grant_id: 'g1',
  origin: 'https://shop.example',
  covers: { effect: 'irreversible' },
  by: 'Phone',
};

test('a halt revokes even permanent grants of the lent browser, and stops its agents', async () => {
  const data = temporaryFolder();
  const grants = join(data, 'grants.json');
  writeFileSync(grants, JSON.stringify([GRANT]));
  const program = startProgram(['up', '--headless', '--json', '--port', '0', '--data', data]);
  await program.line(({ event }) => event === 'browser');
  expect(JSON.parse(readFileSync(grants, 'utf8'))).toMatchObject([{ grant_id: 'g1' }]);

  const { url, token }: Record<string, string> = JSON.parse(readFileSync(join(data, 'bridge.json'), 'utf8'));
  const agent = connectWebSocket({ url: `${url?.replace('http', 'ws')}/ws/agent`, token: token ?? '' });
  onTestFinished(agent.close);
  const items: BridgeItem[] = [];
  const received = (fits: (item: BridgeItem) => boolean) =>
    expect.poll(() => items.some(fits), { timeout: 60_000 }).toBe(true);
  agent.onItem((item) => items.push(item));
  await received(({ type }) => type === 'runtime_ready');
  const call = (call_id: string) =>
    agent.send({ type: 'action_call', call_id, name: 'page.info', arguments: {} });
  call('before');
  await received((item) => item.type === 'action_call_output' && item.call_id === 'before');

  expect(await drawbridge(['halt', '--data', data])).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(grants, 'utf8'))).toEqual([]);
  call('after');
  await received((item) => item.type === 'action_error' && item.call_id === 'after');
  expect(items.find((item) => item.type === 'action_error')).toMatchObject({
    error: { code: 'permission_denied', message: expect.stringContaining('stopped') },
  });
});
