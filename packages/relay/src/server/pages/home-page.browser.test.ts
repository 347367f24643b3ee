import { openPage } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRelay } from '../../../test/server/test-relay.ts';

async function visit(url: string) {
  const { page, close } = await openPage({ colorScheme: 'dark' });
  onTestFinished(close);
  const broken: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) broken.push(message.text());
  });
  page.on('pageerror', (error) => broken.push(error.message));
  await page.goto(url);
  return { page, said: page.locator('#said'), broken };
}

test('a link pairs the browser that opens it, once, and leaves no secret in the address', async () => {
  const relay = await startTestRelay();
  const order = { roles: ['person'], scopes: [], label: 'Phone', by: 'machine' } as const;
  const { pair_path } = await relay.devices.invitations.create(order);
  const { page, said, broken } = await visit(relay.url + pair_path);
  await said.getByText('This device is paired').waitFor();
  expect(page.url()).toBe(`${relay.url}/`);
  await page.reload();
  await said.getByText('This device is paired').waitFor();
  expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('15px');

  const second = await visit(relay.url + pair_path);
  await second.said.getByText('This link has been used').waitFor();
  expect([...broken, ...second.broken]).toEqual([]);

  await page.getByRole('button', { name: 'Sign this device out' }).click();
  await said.getByText('This device is not paired yet').waitFor();
});

test('an approved code pairs the browser that shows it', async () => {
  const relay = await startTestRelay();
  const { page, said, broken } = await visit(relay.url);
  await page.getByRole('button', { name: 'Show a code' }).click();
  const code = page.locator('#code');
  await code.getByText(/\w/).waitFor();
  const owner = await relay.mint('owner');
  const response = await fetch(`${relay.url}/api/pair/approve`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ code: await code.textContent(), roles: ['person'] }),
  });
  expect(response.ok, await response.text()).toBe(true);
  await said.getByText('This device is paired').waitFor();
  expect(broken).toEqual([]);
});
