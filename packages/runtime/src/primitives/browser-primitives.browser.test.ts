import { expect, test } from 'vitest';
import { drivenWorld } from './driven-host.suite.ts';
import { HOME, openTabs } from './world.suite.ts';

const tabs = openTabs();

test('takes screenshots and scales them down to fit', async () => {
  const world = await drivenWorld(await tabs.show());
  const whole = await world.run('browser.screenshot', {});
  expect(whole).toMatchObject({ mime_type: 'image/png', width: 900 });
  const kilobytes = Math.floor((whole.image.length * 3) / 4 / 1_024) - 1;
  expect(await world.run('browser.screenshot', { max_kilobytes: kilobytes })).toMatchObject({
    mime_type: 'image/jpeg',
  });
  await expect(world.run('browser.screenshot', { max_kilobytes: 1 })).rejects.toMatchObject({
    evidence: { reason: 'picture_too_large' },
  });
});

test('lists, opens, activates and closes tabs, except the last', async () => {
  const world = await drivenWorld(await tabs.show());
  const [own] = (await world.run('browser.claimed_tabs.list', {})).tabs;
  expect(own).toMatchObject({ url: HOME, active: true });
  await expect(world.run('browser.close_tab', {})).rejects.toMatchObject({
    evidence: { reason: 'last_claimed_tab' },
  });
  const { tab } = await world.run('browser.open_tab', { url: `${HOME}next` });
  await world.run('browser.claimed_tabs.activate', { tab_id: own?.tab_id ?? '' });
  await world.run('browser.close_tab', { tab_id: tab.tab_id });
  expect((await world.run('browser.claimed_tabs.list', {})).tabs).toHaveLength(1);
  await expect(world.run('browser.claimed_tabs.activate', { tab_id: 'tab-99' })).rejects.toMatchObject({
    code: 'target_not_found',
  });
});

test('navigates a tab to web pages only', async () => {
  const world = await drivenWorld(await tabs.show());
  expect(await world.run('browser.navigate', { url: `${HOME}next` })).toMatchObject({
    navigated: true,
    url: `${HOME}next`,
  });
  expect(await world.run('browser.navigate', { back: true })).toMatchObject({ url: HOME });
  expect(await world.run('browser.navigate', { reload: true })).toMatchObject({ url: HOME });
  for (const url of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'chrome://settings',
    'next',
  ]) {
    await expect(world.run('browser.navigate', { url })).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(world.run('browser.open_tab', { url })).rejects.toMatchObject({ code: 'permission_denied' });
  }
  await expect(world.run('browser.navigate', {})).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(world.run('browser.navigate', { url: HOME, back: true })).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

test('answers a dialog', async () => {
  const world = await drivenWorld(await tabs.show());
  await expect(world.run('browser.dismiss_dialog', {})).rejects.toMatchObject({
    evidence: { reason: 'no_dialog' },
  });
  const shown = new Promise((resolve) =>
    world.host.onEvent((event) => event.kind === 'dialog' && resolve(event)),
  );
  const asked = world.tab.evaluate(() => prompt('Your name?'));
  await shown;
  expect(await world.run('browser.dismiss_dialog', { accept: true, prompt_text: 'Ada' })).toEqual({
    dismissed: true,
    accepted: true,
    dialog: 'prompt',
    message: 'Your name?',
  });
  expect(await asked).toBe('Ada');
});

test('[BRG-97] names the missing part of a host of the right kind', async () => {
  const world = await drivenWorld(await tabs.show());
  await expect(world.run('storage.read_file', { path: 'a' })).rejects.toMatchObject({
    code: 'capability_unavailable',
    evidence: { capability: 'storage', host: 'cdp' },
  });
});
