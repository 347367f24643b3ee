import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeep } from '@drawbridge/testbed';
import { afterAll, expect, test } from 'vitest';
import { setUpTabs, startSite } from '../../test/hosts/cdp/tab-harness.ts';
import { runtimeOn } from '../../test/surface/runtime-harness.ts';

const folder = await mkdtemp(join(tmpdir(), 'drawbridge-files-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const allowed = join(folder, 'allowed');
await mkdir(allowed);
const { visit } = setUpTabs({ downloads: join(folder, 'saved'), uploadFolders: [allowed] });

const MB = 1_048_576;
/** The most that may travel in `npm run deep`. */
const SIZE_MB = isDeep ? 50 : 5;
const sha256 = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex');

/** Shows name, type, size and hash of each chosen file, as the page sees it. */
const PAGE = `<!doctype html><meta charset=utf-8><title>Files</title>
  <label>Scan <input type=file id=one></label> <label>More <input type=file multiple id=many></label>
  <a href="/bill">Bill</a> <button id=blob>Save note</button>
  <label>Password <input type=password id=secret></label>
  <output id=out></output>
  <script>
    const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    for (const field of [one, many]) field.onchange = async () => {
      out.value = '';
      for (const file of field.files)
        out.value += [file.name, file.type || 'untyped', file.size, hex(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))].join(' ') + ' ; ';
      out.value += 'read';
    };
    blob.onclick = () => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(['note: ' + secret.value + ' end']));
      link.download = 'note.txt';
      link.click();
    };
  </script>`;

async function openPage(bill: Uint8Array = Buffer.from('25 euro')) {
  const site = await startSite((request, response) => {
    if (request.url === '/bill')
      response.setHeader('content-disposition', 'attachment; filename="bill.pdf"').end(bill);
    else response.setHeader('content-type', 'text/html').end(PAGE);
  });
  const tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  const served = runtimeOn(tab.host);
  served.decide.next = 'once';
  const id = async (name: string) => tab.idOf(name);
  return {
    ...served,
    site,
    tab,
    click: async (name: string) => served.call('element.click', { id: await id(name) }),
    upload: async (name: string, ...files: readonly object[]) =>
      served.call('element.upload', { id: await id(name), files }),
    saved: async () => {
      const { output } = (await served.call('browser.files.list')) as { output: { files: readonly Saved[] } };
      return output.files.filter(({ origin }) => origin === site.url);
    },
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await tab[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

interface Saved {
  readonly attachment_id: string;
  readonly origin: string;
  readonly sha256: string;
}

test('[BRG-180] reports a saved file with the click, lists it, reads it and uploads it by its id', async () => {
  await using page = await openPage();
  const bill = { name: 'bill.pdf', type: 'application/pdf', bytes: 7, sha256: sha256('25 euro') };
  expect(await page.click('Bill')).toMatchObject({
    output: { effect: { happened: true }, saved: [{ ...bill, origin: page.site.url }] },
  });
  const [file] = await page.saved();
  expect(file).toMatchObject(bill);
  const { attachment_id } = file ?? { attachment_id: '' };
  const read = (args: object) => page.call('browser.files.read', { attachment_id, ...args });
  expect(await read({})).toMatchObject({ output: { base64: btoa('25 euro'), from: 0, bytes: 7 } });
  expect(await read({ from: 3, length: 2 })).toMatchObject({ output: { base64: btoa('eu') } });
  expect(await page.upload('Scan', { attachment_id })).toMatchObject({ output: { action: 'upload' } });
  await page.tab.waitForText(`bill.pdf application/pdf 7 ${bill.sha256} ; read`);
  expect(await page.upload('Scan', { attachment_id: 'file_other' })).toMatchObject({
    error: { code: 'target_not_found' },
  });
});

test(`[BRG-180] ${SIZE_MB} MB go down and up with the same hash`, async () => {
  const bytes = randomBytes(SIZE_MB * MB);
  await using page = await openPage(bytes);
  await page.click('Bill');
  await expect.poll(async () => (await page.saved()).length, { timeout: 60_000 }).toBe(1);
  const [file] = await page.saved();
  expect(file).toMatchObject({ bytes: SIZE_MB * MB, sha256: sha256(bytes) });
  expect(await page.upload('Scan', { attachment_id: file?.attachment_id })).toMatchObject({ output: {} });
  await page.tab.waitForText(`bill.pdf application/pdf ${SIZE_MB * MB} ${sha256(bytes)} ; read`);
});

test('[BRG-181] uploads by path only from an allowed folder, whatever the path looks like', async () => {
  const inside = join(allowed, 'scan.png');
  const outside = join(folder, 'key.txt');
  await writeFile(inside, 'picture');
  await writeFile(outside, 'private key');
  await symlink(outside, join(allowed, 'link.png'));
  await symlink(folder, join(allowed, 'up'));
  await using page = await openPage();
  for (const path of [
    outside,
    join(folder, 'missing.txt'),
    `${allowed}/../key.txt`,
    join(allowed, 'link.png'),
    join(allowed, 'up', 'key.txt'),
    `${allowed}-other/scan.png`,
    allowed,
    'scan.png',
    'allowed/scan.png',
    '/etc/hostname',
    '/proc/self/environ',
  ])
    expect([path, await page.upload('Scan', { path })]).toMatchObject([
      path,
      { error: { code: 'permission_denied', evidence: { reason: 'folder_not_allowed' } } },
    ]);
  expect(await page.tab.text()).not.toContain('read');
  await page.upload('More', { path: inside }, { name: 'b.txt', base64: btoa('second') });
  await page.tab.waitForText(
    `scan.png image/png 7 ${sha256('picture')} ; b.txt untyped 6 ${sha256('second')} ; read`,
  );
});

test('[BRG-182] does not read a saved file that has a secret of the page, whole or in parts', async () => {
  await using page = await openPage();
  await page.call('element.fill', { id: await page.tab.idOf('Password'), text: 'correct horse' });
  const { output } = (await page.click('Save note')) as { output: { saved: readonly Saved[] } };
  const [file] = output.saved;
  expect(file).toMatchObject({ name: 'note.txt', bytes: 'note: correct horse end'.length });
  const parts = [{}, { length: 10 }, { from: 10 }, { from: 8, length: 4 }, { from: 20 }];
  for (const part of parts)
    expect(
      await page.call('browser.files.read', { attachment_id: file?.attachment_id, ...part }),
    ).toMatchObject({
      error: { code: 'permission_denied', evidence: { reason: 'holds_secret' } },
    });
  // Another tab of another origin knows the same secrets.
  await using other = await openPage();
  expect(await other.call('browser.files.read', { attachment_id: file?.attachment_id })).toMatchObject({
    error: { code: 'permission_denied' },
  });
});
