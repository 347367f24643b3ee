import { type Visitor, visit } from '@drawbridge/web/test/visit';
import { openWebHarness, type WebHarness } from '@drawbridge/web/test/web-harness';
import { approve } from 'drawbridge/approval';
import { afterAll, beforeAll, expect, test } from 'vitest';

let harness: WebHarness;
beforeAll(async () => {
  harness = await openWebHarness();
  // Builds the web app outside of the tests' time limits.
  await fetch(harness.url);
});
afterAll(() => harness.close());

const linkOf = ({ page }: Visitor) => page.locator('code', { hasText: '#pair=' });
const askOf = ({ page }: Visitor) => page.getByRole('region', { name: 'Confirm that it is you' });

async function askForLink(visitor: Visitor, name: string) {
  await visitor.page.getByLabel('Name').fill(name);
  await visitor.page.getByRole('button', { name: 'Make a link' }).press('Enter');
  const asked = askOf(visitor);
  await asked.getByText(`lets in “${name}”. It may then: see and steer sessions`).waitFor();
  expect(await linkOf(visitor).count()).toBe(0);
  return asked;
}

test('[27.2] a link waits for confirmation by another owner’s device, which can refuse it', async () => {
  const owner = await visit(harness, { role: 'owner', path: '/devices', isFresh: true });
  const phone = await visit(harness, { size: 'phone', role: 'owner', path: '/devices', isFresh: true });
  await askForLink(owner, 'Tablet');
  await phone.page
    .getByText('wants to make a link that lets in “Tablet”. It may then: see and steer sessions')
    .waitFor();
  await phone.page.getByRole('button', { name: 'Refuse' }).click();
  await owner.page.getByText('This was refused.').waitFor();
  expect(await linkOf(owner).count()).toBe(0);

  await askForLink(owner, 'Phone two');
  await phone.page.getByText('lets in “Phone two”').waitFor();
  expect(await owner.page.getByRole('button', { name: 'Confirm', exact: true }).count()).toBe(0);
  const confirm = phone.page.getByRole('button', { name: 'Confirm', exact: true });
  await confirm.and(phone.page.locator('[data-armed=true]')).click();
  await linkOf(owner).waitFor();
  expect(await askOf(owner).count()).toBe(0);
});

test('[27.2] the relay’s terminal confirms by the id that the web app shows', async () => {
  const owner = await visit(harness, { role: 'owner', path: '/devices', isFresh: true });
  const asked = await askForLink(owner, 'Guest');
  const command = (await asked.getByText('drawbridge devices --approve').textContent()) ?? '';
  const id = /--approve (\w+)/.exec(command)?.[1] ?? '';
  const lines: string[] = [];
  await approve(harness.data, id, { print: (line) => lines.push(line) });
  expect(lines).toEqual([expect.stringContaining('a link that lets in Guest as person')]);
  await linkOf(owner).waitFor();
});

test('[27.2] a passkey confirms; the first one is added without confirmation, right after pairing', async () => {
  const named = {
    ...harness,
    pairLink: async (...order: Parameters<WebHarness['pairLink']>) =>
      (await harness.pairLink(...order)).replace('127.0.0.1', 'localhost'),
  };
  const owner = await visit(named, { role: 'owner', path: '/devices', isFresh: true });
  const devtools = await owner.context.newCDPSession(owner.page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
  await owner.page.getByRole('button', { name: 'Add a passkey' }).click();
  await owner.page.getByText('localhost ·').waitFor();
  const asked = await askForLink(owner, 'Laptop');
  await asked.getByRole('button', { name: 'Use your passkey' }).click();
  await linkOf(owner).waitFor();

  await owner.page.getByRole('button', { name: 'Remove' }).click();
  await askOf(owner).getByText('wants to remove the passkey').waitFor();
  await askOf(owner).getByRole('button', { name: 'Cancel' }).click();
  expect(await owner.page.getByText('localhost ·').count()).toBe(1);
});
