import { readdirSync } from 'node:fs';
import { openPage } from '@drawbridge/testbed';
import { expect, onTestFinished, test, vi } from 'vitest';
import { childrenOf, startProgram, temporaryFolder, untilGone } from '../../test/live/program-harness.ts';
import { drawbridge } from '../../test/terminal.ts';

vi.setConfig({ testTimeout: 400_000 });

/** Time for a browser, a shop and an agent to start on a busy machine. */
const TIMEOUT_MS = 150_000;

async function startUp() {
  const [data, temporary] = [temporaryFolder(), temporaryFolder()];
  const args = ['up', '--shop', '--no-browser', '--json', '--port', '0', '--data', data];
  const program = startProgram(args, { TMPDIR: temporary });
  const { url, token, pair_url } = await program.line(({ event }) => event === 'listening');
  const headers = { authorization: `Bearer ${token}` };
  return {
    ...{ data, program, pairUrl: String(pair_url) },
    left: () => readdirSync(temporary).filter((name) => name.startsWith('drawbridge-')),
    play: async () => {
      const answer = await fetch(`${url}/api/demo`, { method: 'POST', headers });
      return { status: answer.status, text: await answer.text() };
    },
  };
}

test('started in the web app, the demo asks there, buys, and leaves nothing when the relay ends', async () => {
  const { data, program, pairUrl, play, left } = await startUp();
  const { url: shop } = await program.line(({ event }) => event === 'shop');
  // With --port 0 the shop leaves the guides' port to others.
  expect(new URL(String(shop)).port).not.toBe('7720');
  expect((await fetch(String(shop))).status).toBe(200);
  const { page, close } = await openPage({ viewport: { width: 1280, height: 800 } });
  onTestFinished(close);
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.goto(pairUrl);
  await page.getByRole('button', { name: 'Play the demo' }).click();
  await page.getByRole('button', { name: 'The demo is playing' }).waitFor();
  expect(await play()).toMatchObject({ status: 409, text: expect.stringContaining('already') });

  await page.getByRole('region', { name: 'Needs you' }).getByRole('link').first().click();
  const talk = page.getByRole('main');
  await talk.getByText('“Pay 53.90 €”').first().waitFor();
  await talk.getByRole('button', { name: 'Allow once' }).first().click();
  await page.getByRole('status').getByText('The order is placed: LO-1001.').waitFor();

  const children = childrenOf(program.child.pid);
  expect(children.length).toBeGreaterThan(0);
  program.child.kill('SIGTERM');
  expect(await program.exited).toEqual([0, null]);
  await untilGone(children);
  expect(left()).toEqual([]);
  await expect(fetch(String(shop))).rejects.toThrow();
  const devices = (await drawbridge(['devices', '--data', data])).text;
  expect(devices).not.toContain('Shopping agent');
});
