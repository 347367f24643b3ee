import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { setUpShop } from '../test/shop-fixture.ts';

const { shop, visit } = setUpShop();

test.each([
  ['Two seconds', 'Saved to your list.', 2000],
  ['0.4 seconds', 'Copied.', 400],
])('the toast "%s" says "%s" for %i ms', async (button, text, ms) => {
  await using opened = await visit('/corners/toasts');
  const { page } = opened;
  const watched = page.evaluate(
    () =>
      new Promise<{ text: string; lived: number }>((resolve) => {
        const toasts = document.querySelector('[role="status"]') ?? document.body;
        let born = 0;
        let text = '';
        new MutationObserver(() => {
          if (toasts.childElementCount === 0) resolve({ text, lived: performance.now() - born });
          born = performance.now();
          text = toasts.textContent;
        }).observe(toasts, { childList: true });
      }),
  );
  await page.getByRole('button', { name: button }).click();
  const toast = await watched;
  expect(toast.text).toBe(text);
  expect(toast.lived).toBeGreaterThan(ms - 20);
  expect(toast.lived).toBeLessThan(ms + 1000);
});

test('an error toast is an alert, and a silent one has no role', async () => {
  await using opened = await visit('/corners/toasts');
  const { page } = opened;
  await page.getByRole('button', { name: 'An error' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('the list is full');
  await page.getByRole('button', { name: 'A silent toast' }).click();
  expect(await page.locator('.silent-toast').evaluate((toast) => toast.closest('[role],[aria-live]'))).toBe(
    null,
  );
  await page.locator('.silent-toast').waitFor({ state: 'detached' });
});

test('ten thousand rows are reachable while a few nodes are recycled', async () => {
  await using opened = await visit('/corners/rows');
  const { page } = opened;
  const rows = page.locator('.stock-row');
  const firstButton = page.getByRole('button', { name: 'Reserve Ash peg 00001' });
  await firstButton.waitFor();
  const node = await firstButton.elementHandle();
  const count = await rows.count();
  expect(count).toBeLessThan(40);
  await page.getByLabel('Go to row').fill('10000');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await page.getByRole('button', { name: /10000$/ }).click();
  expect(await page.locator('#reserved').textContent()).toMatch(/^Reserved row 10000: /);
  expect(await rows.count()).toBe(count);
  expect(await node?.evaluate((button) => button.isConnected)).toBe(true);
  expect(await node?.getAttribute('aria-label')).not.toBe('Reserve Ash peg 00001');
});

test('rows load in blocks as the list is scrolled', async () => {
  await using opened = await visit('/corners/rows');
  const { page } = opened;
  await page.getByText('Ash peg 00001').waitFor();
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/rows?from=101'));
  await page.locator('#rows').evaluate((list) => list.scrollTo(0, 44 * 100));
  await answer;
  await page.getByText('00101').waitFor();
});

test('frames: same origin, other origin, no address, and one in another', async () => {
  await using opened = await visit('/corners/frames');
  const { page } = opened;
  await page.waitForLoadState('networkidle');
  const same = page.frameLocator('[title="Newsletter"]');
  await same.getByLabel('Email for the newsletter').fill('me@example.com');
  await same.getByRole('button', { name: 'Subscribe' }).click();
  await same.getByText('The next letter goes to me@example.com.').waitFor();
  const reach = await page
    .locator('iframe')
    .evaluateAll((all) =>
      all.map((frame) => frame instanceof HTMLIFrameElement && frame.contentDocument !== null),
    );
  expect(reach).toEqual([true, false, true, false]);
  const nested = page.frameLocator('[title="Partner"]').frameLocator('iframe');
  await nested.getByRole('heading', { name: 'Newsletter' }).waitFor();
});

test('the other origin’s frame reports the payment and nothing else', async () => {
  await using opened = await visit('/corners/frames');
  const { page } = opened;
  const card = page.frameLocator('[title="Gift card payment"]');
  await card.getByLabel('Card number').fill('4242424242424242');
  expect(await card.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
  await card.getByLabel('Expiry').fill('08/30');
  await card.getByLabel('CVC').fill('123');
  await card.getByRole('button', { name: 'Pay 25 €' }).click();
  await page.getByText('Paid, card ending 4242.').waitFor();
  expect(shop().orders()).toEqual([]);
});

test('the open shadow tree is reachable, the closed one only by a person', async () => {
  await using opened = await visit('/corners/shadow');
  const { page } = opened;
  const roots = await page
    .locator('price-alert')
    .evaluateAll((all) => all.map((alert) => alert.shadowRoot !== null));
  expect(roots).toEqual([true, false, true]);
  await page.getByRole('heading', { name: 'Closed' }).click();
  await page.keyboard.press('Tab');
  await page.keyboard.type('30');
  await page.keyboard.press('Enter');
  await page.getByText('Storm lantern below 30 €').waitFor();
});

test('nested and declared shadow trees work too', async () => {
  await using opened = await visit('/corners/shadow');
  const { page } = opened;
  const nested = page.locator('alert-board');
  await nested.getByLabel('Tell me below (€)').fill('70');
  await nested.getByRole('button', { name: 'Set alert' }).click();
  await page.getByRole('button', { name: 'Remind me in spring' }).click();
  expect(await page.locator('#alerts').textContent()).toBe('Wool blanket below 70 €; spring');
});

test('the contenteditable and the ProseMirror take typed text', async () => {
  await using opened = await visit('/corners/editor');
  const { page } = opened;
  await page.getByRole('textbox', { name: 'Card to go with the gift' }).click();
  await page.keyboard.type('Sleep well');
  expect(await page.locator('#plain-text').textContent()).toBe('Sleep well');
  const review = page.getByRole('textbox', { name: 'Review' });
  await review.click();
  await page.keyboard.type('Bright and ');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('quiet');
  await page.getByRole('button', { name: 'Save review' }).click();
  expect(await page.locator('#rich-text').textContent()).toBe('Bright and quiet');
  expect(await review.locator('strong').textContent()).toBe('quiet');
});

test('files arrive whole by field, by button and by drop', async () => {
  await using opened = await visit('/corners/upload');
  const { page } = opened;
  const file = { name: 'scratch.txt', mimeType: 'text/plain', buffer: Buffer.from('a scratch on the shade') };
  const digest = createHash('sha256').update(file.buffer).digest('hex').slice(0, 12);
  const received = page.locator('#received li');
  await page.getByLabel('Photo of the damage').setInputFiles(file);
  await received.nth(0).getByText(digest).waitFor();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose more files…' }).click();
  await (await choosing).setFiles([file, { ...file, name: 'second.txt' }]);
  await received.nth(2).getByText('second.txt, 22 bytes').waitFor();
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['dropped'], 'dropped.txt'));
    return data;
  });
  await page.locator('#drop').dispatchEvent('drop', { dataTransfer: transfer });
  await received.nth(3).getByText('dropped.txt, 7 bytes').waitFor();
});

test('native dialogs wait for an answer and show it', async () => {
  await using opened = await visit('/corners/dialogs');
  const { page } = opened;
  const answer = page.locator('#answer');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Alert' }).click();
  expect(await answer.textContent()).toBe('alert seen');
  page.once('dialog', (dialog) => void dialog.dismiss());
  await page.getByRole('button', { name: 'Confirm' }).click();
  expect(await answer.textContent()).toBe('declined');
  page.once('dialog', (dialog) => void dialog.accept('Good night'));
  await page.getByRole('button', { name: 'Prompt' }).click();
  expect(await answer.textContent()).toBe('prompt: Good night');
});

test('leaving the page can ask for confirmation', async () => {
  await using opened = await visit('/corners/dialogs');
  const { page } = opened;
  await page.getByLabel('Ask before leaving').check();
  const asked = page.waitForEvent('dialog');
  const leaving = page.goto('/').catch(() => undefined);
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await leaving;
  expect(new URL(page.url()).pathname).toBe('/corners/dialogs');
});

test('the dialog element returns the pressed button, the popover closes', async () => {
  await using opened = await visit('/corners/dialogs');
  const { page } = opened;
  await page.getByRole('button', { name: 'Open a modal dialog' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('dialog: remove').waitFor();
  await page.getByRole('button', { name: 'Open a popover' }).click();
  await page.getByText('Popovers close by a click').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await page.locator('#hints').isVisible()).toBe(false);
});

test('a click on the canvas draws at its position; so do the arrow keys', async () => {
  await using opened = await visit('/corners/canvas');
  const { page } = opened;
  const canvas = page.getByRole('application', { name: 'Floor plan' });
  const pixel = () =>
    canvas.evaluate((node) => {
      if (!(node instanceof HTMLCanvasElement)) return undefined;
      return node.getContext('2d')?.getImageData(120, 80, 1, 1).data[3];
    });
  expect(await pixel()).toBe(0);
  await canvas.click({ position: { x: 120, y: 80 } });
  expect(await page.locator('#points').textContent()).toBe('120,80');
  expect(await pixel()).toBe(255);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  expect(await page.locator('#points').textContent()).toBe('120,80 130,80');
});

test('the slow page answers late, and some of it later still', async () => {
  await using opened = await visit('/corners/slow?ms=300&late=200');
  const { page } = opened;
  const waited = await page.evaluate(() =>
    performance
      .getEntriesByType('navigation')
      .map((entry) => (entry instanceof PerformanceNavigationTiming ? entry.responseStart : 0)),
  );
  expect(waited[0]).toBeGreaterThanOrEqual(300);
  await page.getByRole('button', { name: 'Take one' }).click();
  await page.getByText('Storm lantern is in your cart.').waitFor();
  expect(await page.locator('#late').getAttribute('aria-busy')).toBe(null);
});

test('the restless counter runs until it is stopped', async () => {
  await using opened = await visit('/corners/slow?late=0');
  const { page } = opened;
  await page.getByRole('button', { name: 'Start the restless counter' }).click();
  await page.locator('#ticks').getByText('5').waitFor();
  await page.getByRole('button', { name: 'Stop the restless counter' }).click();
});

test('elements that have only listeners react', async () => {
  await using opened = await visit('/corners/listeners');
  const { page } = opened;
  const pressed = page.locator('#pressed');
  for (const [text, id] of [
    ['A div with a listener of its own', 'own-listener'],
    ['A span with a pointing hand', 'pointer'],
    ['A div that React listens for', 'react-listener'],
    ['A div that takes the keyboard', 'focusable'],
  ] as const) {
    await page.getByText(text).click();
    expect(await pressed.textContent()).toBe(id);
  }
  await page.getByText('whose parent').click();
  expect(await pressed.textContent()).toBe('delegated: whose parent');
  await page.locator('#no-listener').click();
  expect(await pressed.textContent()).toBe('delegated: whose parent');
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
});

test('the strict page forbids text as HTML and still works', async () => {
  await using opened = await visit('/corners/strict');
  const { page } = opened;
  const outcome = await page.evaluate(() => {
    try {
      document.body.insertAdjacentHTML('beforeend', '<b>text</b>');
      return 'allowed';
    } catch (error) {
      return String(error);
    }
  });
  expect(outcome).toContain('TrustedHTML');
  await page.getByLabel('Your question').fill('Is it dimmable?');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('Asked: Is it dimmable?').waitFor();
});
