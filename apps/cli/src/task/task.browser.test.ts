import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startRelay } from '@drawbridge/relay';
import { startShop } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram, temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge } from '../../test/terminal.ts';

test('runs a task in a real browser from the terminal, decided by rules', async () => {
  const data = temporaryFolder();
  const shop = await startShop();
  onTestFinished(() => shop.close());
  const relay = await startRelay({ data, port: 0, env: {} });
  onTestFinished(relay.close);
  // Simulates "always" for the first form of a site (BRG-128).
  const forms = { covers: { name: 'form.submit', effect: 'act' }, origin: shop.url, by: 'the test' };
  await writeFile(join(data, 'browser-grants.json'), JSON.stringify([{ grant_id: 'forms', ...forms }]));
  startProgram(['browser', '--headless', '--json', '--data', data]);
  const url = `${shop.url}/products/dusk-table-lamp`;
  const { code, text, errors } = await drawbridge([
    ...['task', 'add two lamps to the cart', '--url', url, '--data', data],
  ]);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(text).toContain('No browser is connected');
  expect(text).toContain('✓ Write “2” into “Quantity”');
  expect(text).toContain('✓ Press “Add to cart”');
  const { out } = await drawbridge(['task', 'list', '--json', '--data', data]);
  const { task_id, ...task } = JSON.parse(out[0] ?? '{}');
  expect(task).toMatchObject({ state: 'completed', steps: 2 });
  const events = (await drawbridge(['task', 'show', task_id, '--json', '--data', data])).out;
  const pictures = events.flatMap((line) => JSON.parse(line).details?.thumbnail ?? []);
  expect(pictures).toHaveLength(2);
  const { token } = await relay.devices.mint({ roles: ['person'], label: 'Phone', by: 'machine' });
  const picture = await fetch(`${relay.url}/api/files/${pictures[0]}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect({ status: picture.status, type: picture.headers.get('content-type') }).toEqual({
    ...{ status: 200, type: 'image/jpeg' },
  });
  const again = await drawbridge(['task', 'replay', task_id, '--data', data]);
  expect(again).toMatchObject({ code: 0, text: expect.stringContaining('Done: 2 acts.') });
});
