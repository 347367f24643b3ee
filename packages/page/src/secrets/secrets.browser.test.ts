import { isSecretByValue, namesASecret } from '@drawbridge/protocol/secrets';
import { describe, expect, test } from 'vitest';
import { pageWith, sharedPage, type TestPage } from '../../test/page-harness.ts';
import { SECRET_FORMS } from '../../test/secrets/secret-forms.ts';

const shared = sharedPage();

/** All output of perception about a page, as one text. */
async function everythingSaid(page: TestPage): Promise<Record<string, string>> {
  const { snapshot_id, ...v3 } = await page.snapshot({
    scope: 'page',
    form: 'lines',
    context: true,
    boxes: true,
  });
  const v2 = await page.snapshot({ scope: 'page', form: 'full_keys' });
  const filtered = await page.snapshot({ scope: 'page', query: 'password card code canary', max_nodes: 20 });
  await page.run(() => {
    for (const field of document.querySelectorAll('input, textarea'))
      field.setAttribute('aria-invalid', 'true');
    document.title += ' changed';
  });
  const sent = {
    v3,
    v2,
    filtered,
    delta: await page.delta(snapshot_id, { scope: 'page' }),
    read: await page.read({ max_tokens: 100_000 }),
    skeleton: await page.skeleton(),
    fullDom: await page.fullDom(),
  };
  return Object.fromEntries(
    Object.entries(sent).map(([channel, content]) => [channel, JSON.stringify(content)]),
  );
}

describe('[INT-276] [INT-277] 60 forms with a secret each', () => {
  test('contain none of the values in any channel', async () => {
    expect(SECRET_FORMS.length).toBeGreaterThanOrEqual(60);
    await using page = await pageWith(SECRET_FORMS.map(({ html }) => html).join('\n'));
    const sent = await everythingSaid(page);
    const leaks = SECRET_FORMS.flatMap(({ canary, html }) =>
      Object.entries(sent)
        .filter(([, content]) => content.includes(canary))
        .map(([channel]) => `${channel}: ${html}`),
    );
    expect(leaks).toEqual([]);
  });

  test.each(SECRET_FORMS.slice(0, 59))('$html is filled and says no more', async ({ html }) => {
    const page = await shared.show(html);
    const [node] = await page.nodes();
    expect(node?.s?.split(',')).toContain('filled');
    expect(node).not.toHaveProperty('v');
    const { semanticNodes } = await page.snapshot({ form: 'full_keys' });
    expect(semanticNodes?.[0]).toMatchObject({ state: 'filled' });
    expect(semanticNodes?.[0]).not.toHaveProperty('value');
  });
});

test('[INT-276] reports an empty secret as not filled', async () => {
  const page = await shared.show('<input type="password" aria-label="Password">');
  expect(await page.lines()).toBe('1 inp Password');
});

test('[INT-276] keeps a password secret when the page shows it', async () => {
  const page = await shared.show('<input aria-label="Word" type="password" id="p" value="CANARY">');
  await page.snapshot();
  await page.run(() => document.querySelector('#p')?.setAttribute('type', 'text'));
  expect(await page.lines()).toBe('1 inp Word [filled]');
});

test('[INT-276] treats the boxes of a code as secrets, one digit each', async () => {
  const page = await shared.show(
    `<div>${'<span><input maxlength="1" aria-label="Digit" value="7"></span>'.repeat(6)}</div>`,
  );
  expect((await page.nodes()).map(({ v, s }) => v ?? s)).toEqual(Array(6).fill('filled'));
});

test('[INT-276] recognizes a card number in any field', async () => {
  const page = await shared.show(
    '<input aria-label="Note" value="4242 4242 4242 4242"><input aria-label="Ref" value="DE89 3704 0044 0532 0130 00">',
  );
  expect(await page.lines()).toBe('1 inp Note\n2 inp Ref');
});

describe('keeps the values of other fields', () => {
  test.each([
    '<input aria-label="Search" value="VISIBLE">',
    '<input name="email" value="VISIBLE">',
    '<input name="pincode" value="VISIBLE">',
    '<input aria-label="Zip code" value="VISIBLE">',
    '<input name="discount_code" value="VISIBLE">',
    '<input aria-label="Postcode" maxlength="5" value="VISIBLE">',
    '<input name="companyName" value="VISIBLE">',
    '<input aria-label="Card to go with the gift" value="VISIBLE">',
    '<input aria-label="Spinning wheel" value="VISIBLE">',
    '<textarea aria-label="Why do you keep secrets from me?">VISIBLE</textarea>',
  ])('%s', async (html) => {
    expect((await (await shared.show(html)).nodes())[0]?.v).toBe('VISIBLE');
  });
});

test.each([
  ['cardNumber', true],
  ['card_number', true],
  ['Card No.', true],
  ['discard numbers', false],
  ['shipping', false],
  ['pin', true],
  ['Pin to top', false],
  ['tan', true],
  ['tangent', false],
])('%s names a secret: %s', (text, secret) => {
  expect(namesASecret(text)).toBe(secret);
});

test.each([
  ['4242424242424242', true],
  ['4242424242424241', false],
  ['0000000000000000', false],
  ['GB82 WEST 1234 5698 7654 32', true],
  ['GB82 WEST 1234 5698 7654 33', false],
  ['+49 170 1234567', false],
])('%s is a secret by its value: %s', (value, secret) => {
  expect(isSecretByValue(value)).toBe(secret);
});
