import { expect, test } from 'vitest';
import { drivenHarness } from '../../test/primitives/driven-host.ts';
import { HOME, openTabs } from '../../test/primitives/primitive-harness.ts';

const tabs = openTabs();

test('takes screenshots and scales them down to fit', async () => {
  const harness = await drivenHarness(await tabs.show());
  const whole = await harness.run('browser.screenshot', {});
  expect(whole).toMatchObject({ mime_type: 'image/png', width: 900 });
  const kilobytes = Math.floor((whole.image.length * 3) / 4 / 1_024) - 1;
  expect(await harness.run('browser.screenshot', { max_kilobytes: kilobytes })).toMatchObject({
    mime_type: 'image/jpeg',
  });
  await expect(harness.run('browser.screenshot', { max_kilobytes: 1 })).rejects.toMatchObject({
    evidence: { reason: 'picture_too_large' },
  });
});

test('lists, opens, activates and closes tabs, except the last', async () => {
  const harness = await drivenHarness(await tabs.show());
  const [own] = (await harness.run('browser.claimed_tabs.list', {})).tabs;
  expect(own).toMatchObject({ url: HOME, active: true });
  await expect(harness.run('browser.close_tab', {})).rejects.toMatchObject({
    evidence: { reason: 'last_claimed_tab' },
  });
  const { tab } = await harness.run('browser.open_tab', { url: `${HOME}next` });
  await harness.run('browser.claimed_tabs.activate', { tab_id: own?.tab_id ?? '' });
  await harness.run('browser.close_tab', { tab_id: tab.tab_id });
  expect((await harness.run('browser.claimed_tabs.list', {})).tabs).toHaveLength(1);
  await expect(harness.run('browser.claimed_tabs.activate', { tab_id: 'tab-99' })).rejects.toMatchObject({
    code: 'target_not_found',
  });
});

test('navigates a tab to web pages only', async () => {
  const harness = await drivenHarness(await tabs.show());
  expect(await harness.run('browser.navigate', { url: `${HOME}next` })).toMatchObject({
    navigated: true,
    url: `${HOME}next`,
  });
  expect(await harness.run('browser.navigate', { back: true })).toMatchObject({ url: HOME });
  expect(await harness.run('browser.navigate', { reload: true })).toMatchObject({ url: HOME });
  for (const url of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'chrome://settings',
    'next',
  ]) {
    await expect(harness.run('browser.navigate', { url })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await expect(harness.run('browser.open_tab', { url })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  }
  await expect(harness.run('browser.navigate', {})).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(harness.run('browser.navigate', { url: HOME, back: true })).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

test('answers a dialog', async () => {
  const harness = await drivenHarness(await tabs.show());
  await expect(harness.run('browser.dismiss_dialog', {})).rejects.toMatchObject({
    evidence: { reason: 'no_dialog' },
  });
  const shown = new Promise((resolve) =>
    harness.host.onEvent((event) => event.kind === 'dialog' && resolve(event)),
  );
  const asked = harness.tab.evaluate(() => prompt('Your name?'));
  await shown;
  expect(await harness.run('browser.dismiss_dialog', { accept: true, prompt_text: 'Ada' })).toEqual({
    dismissed: true,
    accepted: true,
    dialog: 'prompt',
    message: 'Your name?',
  });
  expect(await asked).toBe('Ada');
});

test('[BRG-97] names the missing part of a host of the right kind', async () => {
  const harness = await drivenHarness(await tabs.show());
  await expect(harness.run('storage.read_file', { path: 'a' })).rejects.toMatchObject({
    code: 'capability_unavailable',
    evidence: { capability: 'storage', host: 'cdp' },
  });
});
