import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Asker } from '@drawbridge/protocol';
import { type TestRelay, temporaryFolder } from '@drawbridge/relay/test/server/test-relay';
import { webApp } from '@drawbridge/web';
import { visit } from '@drawbridge/web/test/visit';
import { expect, onTestFinished, test } from 'vitest';
import { answeringPerson, startBrowserHarness } from './browser-harness.ts';
import { launch, message, send, startProxyHarness } from './proxy-harness.ts';

const MB = 1_048_576;
const LONG = { timeout: 120_000 };
const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Shows name, type, size and hash of the chosen file, as the page sees it. */
const FORM = `<!doctype html><meta charset=utf-8><title>Claim</title>
  <label>Receipt <input type=file id=receipt></label> <a href="/bill">Bill</a> <output id=out></output>
  <script>
    receipt.onchange = async () => {
      const [file] = receipt.files;
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
      const hex = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      out.value = [file.name, file.type, file.size, hex].join(' ');
    };
  </script>`;

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A form at home in a lent browser, an agent that may use it, and a phone with their conversation. */
async function atHome(bill: Uint8Array, asker?: Asker) {
  const url = await serve((request, response) => {
    if (request.url === '/bill')
      response.setHeader('content-disposition', 'attachment; filename="bill.pdf"').end(bill);
    else response.setHeader('content-type', 'text/html').end(FORM);
  });
  const { relay, person } = await startProxyHarness({ web: webApp() });
  const browser = await startBrowserHarness({ bridge: relay.bridge, asker: asker ?? relay.asker });
  onTestFinished(() => browser[Symbol.asyncDispose]());
  await browser.goto(url);
  const session_id = await launch(person, { browser: true });
  const phone = await visit(visited(relay), { size: 'phone', isFresh: true, path: `/s/${session_id}` });
  const idOf = async (name: string): Promise<string> => {
    const shown = JSON.stringify(await browser.call('page.snapshot', {}));
    const [, id = ''] = new RegExp(`"i":"([^"]+)"[^{}]*"n":"${name}"`).exec(shown) ?? [];
    if (id === '') throw new Error(`${name} is not in ${shown}`);
    return id;
  };
  const shown = async (): Promise<string> => JSON.stringify(await browser.call('page.read', {}));
  return { relay, person, session_id, phone, idOf, shown };
}

const visited = (relay: TestRelay) => ({
  url: relay.url,
  async pairLink() {
    const order = { roles: ['person'], scopes: [], label: 'Phone', by: 'machine' } as const;
    const { pair_path } = await relay.devices.invitations.create(order);
    return relay.url + pair_path;
  },
});

/** Relay and browser hold 50 MB (`npm run deep`); a photo is smaller. */
const SIZE = (process.env['DRAWBRIDGE_DEEP'] === undefined ? 2 : 50) * MB;

test('[CHT-335] a photo of the phone gets into a form at home, by the address that the agent was given', async () => {
  const photo = randomBytes(SIZE);
  const path = join(await temporaryFolder(), 'photo.jpg');
  await writeFile(path, photo);
  const { phone, idOf, shown } = await atHome(Buffer.from('-'));
  const { page } = phone;
  const camera = page.locator('input[type=file][capture]');
  expect(await camera.getAttribute('accept')).toBe('image/*');
  await camera.setInputFiles(path);
  await page.getByText('photo.jpg').first().waitFor();
  const step = { do: 'upload', id: await idOf('Receipt'), value: '$FILE' };
  await phone.write(`tool act ${JSON.stringify({ steps: [step] })}`);
  const allow = phone.talk.getByRole('button', { name: 'Allow once' });
  await allow.and(page.locator('[data-armed=true]')).click(LONG);
  await phone.talk.getByText('Gave a file to').first().waitFor(LONG);
  await expect.poll(shown, LONG).toContain(`photo.jpg image/jpeg ${SIZE} ${sha256(photo)}`);
});

test('[CHT-336] a file that a page saves is in the conversation, and the phone gets it', async () => {
  const bill = randomBytes(SIZE);
  const { phone, idOf } = await atHome(bill);
  const { page } = phone;
  await phone.write(`tool act ${JSON.stringify({ steps: [{ do: 'click', id: await idOf('Bill') }] })}`);
  await phone.talk
    .getByText(`Saved “bill.pdf”, ${(SIZE / 1e6).toFixed(1)} MB.`)
    .first()
    .waitFor(LONG);
  const saving = page.waitForEvent('download', LONG);
  await phone.talk.getByRole('button', { name: 'bill.pdf' }).first().click();
  const parts = await Array.fromAsync<Buffer>(await (await saving).createReadStream());
  expect(sha256(Buffer.concat(parts))).toBe(sha256(bill));
});

test('[CHT-335] an agent cannot upload a file of another conversation', async () => {
  const { relay, person, session_id, idOf } = await atHome(
    Buffer.from('-'),
    answeringPerson(() => 'once'),
  );
  const other = await launch(person);
  const headers = { authorization: `Bearer ${person.device?.token}`, 'content-type': 'text/plain' };
  const path = `${relay.url}/api/files?session_id=${other}&name=key.txt`;
  const { file_id } = await (await fetch(path, { method: 'POST', headers, body: 'private' })).json();
  const step = { do: 'upload', id: await idOf('Receipt'), value: file_id };
  send(person, session_id, `tool act ${JSON.stringify({ steps: [step] })}`);
  // The agent writes its answer, a line of JSON, piece by piece.
  const { content } = await message(person, (words) => /^answer: .*\}$/s.test(words));
  expect(content).toContain('There is no attachment with this id');
});
