import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { chromiumPath, startShop } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../apps/cli/bin/drawbridge.mjs');
const run = promisify(execFile);
/** Sets no model, whatever the environment of this machine has. */
const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], CHROME_PATH: chromiumPath() };

/** Runs `drawbridge up` with its browser until the test ends. */
async function startUp(data: string): Promise<void> {
  const args = ['up', '--headless', '--json', '--port', '0', '--data', data];
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  });
  for await (const line of createInterface({ input: child.stdout }))
    if (JSON.parse(line).event === 'browser') return;
  throw new Error('It ended before its browser was lent.');
}

/** Answers the first form of a site with "always" (BRG-128). */
async function permitForms(data: string, origin: string): Promise<void> {
  const covers = { name: 'form.submit', effect: 'act' };
  const grant = { grant_id: 'forms', origin, covers, by: 'the test' };
  await writeFile(join(data, 'grants.json'), JSON.stringify([grant]));
}

test('drawbridge up, then drawbridge task: two lamps are in the cart, without any key', async () => {
  const data = await mkdtemp(join(tmpdir(), 'drawbridge-cli-task-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const shop = await startShop();
  onTestFinished(() => shop.close());
  await permitForms(data, shop.url);
  await startUp(data);
  const task = (prompt: string, ...more: string[]) =>
    run(process.execPath, [PROGRAM, 'task', prompt, '--data', data, ...more], { env });
  const url = `${shop.url}/products/dusk-table-lamp`;
  const { stdout } = await task('add two lamps to the cart', '--url', url);
  expect(stdout.replace(/\d+ s\.\n/, '1 s.\n').split('\n')).toEqual([
    `Begins at ${url}.`,
    ...['Plan', '  1 Add 2 × lamps to cart'],
    ...['✓ Write “2” into “Quantity”', '✓ Press “Add to cart”', '✓ 1 Add 2 × lamps to cart'],
    ...['Done: 2 of 50 steps, 1 s.', ''],
  ]);
  const counted = await task('how many things are in the cart?');
  expect(counted.stdout).toContain('2');
  const declined = await task('click the blue button').catch((error: unknown) => error);
  expect(declined).toMatchObject({ code: 1, stdout: expect.stringContaining('set a model key') });
});
