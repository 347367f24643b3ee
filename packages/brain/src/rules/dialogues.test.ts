import { describe, expect, test } from 'vitest';
import {
  CHECKOUT,
  dialogue,
  failedWith,
  LAMP,
  RESULTS,
  SHOP_TOOLS,
  START,
  WORKED,
} from '../../test/rules/dialogue.ts';

const LAMP_TITLE = 'Dusk table lamp · Lantern & Oak';
const ALL_FEATURES = ['select', 'check', 'uncheck', 'press', 'back', 'call'];

describe('whole tasks', () => {
  test('[INT-130] [INT-131] [INT-132] [INT-134] search for lamps and open the first result', async () => {
    const task = dialogue('search for lamps and open the first result');
    const first = await task.see({ tree: START });
    expect(first).toMatchObject({
      action: 'setValue(2, "lamps")',
      actionDetails: { name: 'setValue', elementId: 2, args: { value: 'lamps' } },
      status: 'executing',
      currentStep: 0,
      totalSteps: 2,
    });
    expect(first.plan?.steps.map(({ id, description, status }) => [id, description, status])).toEqual([
      ['step_0', 'Search for “lamps”', 'active'],
      ['step_1', 'Open result number 1', 'pending'],
    ]);
    expect(
      await task.see({
        ...WORKED,
        tree: START.replace('2 inp Search the shop', '2 inp Search the shop =lamps'),
      }),
    ).toMatchObject({ action: 'click(3)' });
    expect(
      await task.see({ ...WORKED, tree: RESULTS, url: 'http://127.0.0.1:7720/search?q=lamps' }),
    ).toMatchObject({
      action: 'click(44)',
      thought: 'Open “Dusk table lamp”.',
      plan: { currentStepIndex: 1, steps: [{ status: 'completed' }, { status: 'active' }] },
    });
    expect(
      await task.see({ ...WORKED, tree: LAMP, url: 'http://127.0.0.1:7720/products/dusk-table-lamp' }),
    ).toMatchObject({
      action: 'finish()',
      status: 'completed',
      plan: { steps: [{ status: 'completed' }, { status: 'completed' }] },
    });
  });

  test('live results need no button', async () => {
    const task = dialogue('search for mugs and open the last result');
    expect(await task.see({ tree: RESULTS })).toMatchObject({ action: 'setValue(41, "mugs")' });
    const tree = `41 inp Search the shop =mugs\n42 sel Category =Everything\n90 link Stoneware mug, sand\n91 link Stoneware mug, slate\n48 link Awkward corners`;
    expect(await task.see({ ...WORKED, tree })).toMatchObject({ action: 'click(91)' });
  });

  test('repeats an exact search in the singular', async () => {
    const task = dialogue('search for mugs and open the first result');
    expect(await task.see({ tree: START })).toMatchObject({ action: 'setValue(2, "mugs")' });
    const tree = START.replace('2 inp Search the shop', '2 inp Search the shop =mugs');
    expect(await task.see({ ...WORKED, tree })).toMatchObject({ action: 'click(3)' });
    const nothing = { ...WORKED, tree: '41 inp Search the shop =mugs\n48 link Awkward corners' };
    const recentEvents = ['Nothing found for “mugs”.'];
    expect(await task.see({ ...nothing, recentEvents })).toMatchObject({ action: 'setValue(41, "mug")' });
    recentEvents.push('2 products for “mug”');
    const found = '41 inp Search the shop =mug\n90 link Stoneware mug, sand\n48 link Awkward corners';
    expect(await task.see({ ...WORKED, tree: found, recentEvents })).toMatchObject({ action: 'click(90)' });
  });

  test('fills a form field by field and submits it with the next button', async () => {
    const task = dialogue(
      'fill the form with name Ada, town or city Paris, country france, choose Express as delivery and submit',
    );
    expect(await task.see({ tree: CHECKOUT })).toMatchObject({ action: 'setValue(73, "Ada")' });
    let tree = CHECKOUT.replace('Full name', 'Full name =Ada');
    expect(await task.see({ ...WORKED, tree })).toMatchObject({ action: 'setValue(76, "Paris")' });
    tree = tree.replace('Town or city', 'Town or city =Paris');
    expect(await task.see({ ...WORKED, tree })).toMatchObject({ action: 'setValue(77, "France")' });
    tree = tree.replace('sel Country', 'sel Country =France');
    expect(await task.see({ ...WORKED, tree })).toMatchObject({ action: 'click(79)' });
    tree = tree.replace(' [checked]', '').replace('€12.90', '€12.90 [checked]');
    expect(await task.see({ ...WORKED, tree })).toMatchObject({ action: 'click(80)' });
    expect(await task.see({ ...WORKED, tree: '99 inp Card number' })).toMatchObject({ action: 'finish()' });
  });

  test('two lamps on the lamp’s own page: the quantity, then the button', async () => {
    const task = dialogue('add two lamps to the cart');
    const page = { pageTitle: LAMP_TITLE };
    expect(await task.see({ ...page, tree: LAMP })).toMatchObject({ action: 'setValue(57, "2")' });
    const tree = LAMP.replace('Quantity =1', 'Quantity =2');
    expect(await task.see({ ...page, ...WORKED, tree })).toMatchObject({ action: 'click(58)' });
    expect(await task.see({ ...page, ...WORKED, tree: tree.replace('Cart 0', 'Cart 2') })).toMatchObject({
      action: 'finish()',
    });
  });

  test('two of a thing in a list: its button, twice', async () => {
    const task = dialogue('add 2 storm lanterns to the cart');
    expect(await task.see({ tree: START })).toMatchObject({ action: 'click(13)' });
    expect(await task.see({ ...WORKED, tree: START.replace('Cart 0', 'Cart 1') })).toMatchObject({
      action: 'click(13)',
    });
    expect(await task.see({ ...WORKED, tree: START.replace('Cart 0', 'Cart 2') })).toMatchObject({
      action: 'finish()',
    });
  });

  test('boxes, lists and messages', async () => {
    const tree = '1 chk I agree\n2 chk Newsletter [checked]\n3 inp Message\n4 btn Send\n5 btn Send a copy';
    const task = dialogue(
      "check the box 'I agree', untick Newsletter, type hello into Message and press Send",
      {
        features: ALL_FEATURES,
      },
    );
    expect(await task.see({ tree })).toMatchObject({ action: 'check(1)' });
    expect(await task.see({ ...WORKED, tree: tree.replace('agree', 'agree [checked]') })).toMatchObject({
      action: 'uncheck(2)',
    });
    const ticked = tree.replace('agree', 'agree [checked]').replace('Newsletter [checked]', 'Newsletter');
    expect(await task.see({ ...WORKED, tree: ticked })).toMatchObject({ action: 'setValue(3, "hello")' });
    expect(await task.see({ ...WORKED, tree: ticked.replace('Message', 'Message =hello') })).toMatchObject({
      action: 'click(4)',
    });
    expect(await task.see({ ...WORKED, tree: '6 link Home' })).toMatchObject({ action: 'finish()' });
  });

  test('skips actions whose result is already there', async () => {
    const tree = '1 chk I agree [checked]\n2 inp City =Paris\n3 radio Express [checked]';
    const task = dialogue('check I agree, set City to Paris and choose Express');
    expect(await task.see({ tree })).toMatchObject({ action: 'finish()', status: 'completed' });
  });

  test('in German, on German names', async () => {
    const task = dialogue('Suche nach Lampen und lege zwei Lampen in den Warenkorb');
    const tree = '1 inp Suche\n2 btn Suchen\n3 link Warenkorb 0';
    expect(await task.see({ tree })).toMatchObject({ action: 'setValue(1, "Lampen")' });
    expect(await task.see({ ...WORKED, tree: tree.replace('Suche\n', 'Suche =Lampen\n') })).toMatchObject({
      action: 'click(2)',
    });
    const found = `${tree}\n7 link Tischlampe Dämmerung\n8 btn Lampe Dämmerung in den Warenkorb legen`;
    expect(await task.see({ ...WORKED, tree: found })).toMatchObject({ action: 'click(8)' });
    expect(await task.see({ ...WORKED, tree: found.replace('korb 0', 'korb 1') })).toMatchObject({
      action: 'click(8)',
    });
    expect(await task.see({ ...WORKED, tree: found.replace('korb 0', 'korb 2') })).toMatchObject({
      action: 'finish()',
    });
  });

  test('logs out from a page without such a button', async () => {
    const task = dialogue('log out');
    expect(await task.see({ tree: START.replace('Log in', 'Account') })).toMatchObject({
      action: 'click(4)',
    });
    expect(await task.see({ ...WORKED, tree: '20 btn Log out\n21 link Cart 0' })).toMatchObject({
      action: 'click(20)',
    });
    expect(await task.see({ ...WORKED, tree: START })).toMatchObject({ action: 'finish()' });
  });

  test('logs in from any page by going to the login page first', async () => {
    const task = dialogue('log in with email demo@example.com and password lantern-42');
    expect(await task.see({ tree: START })).toMatchObject({ action: 'click(4)' });
    const tree = '1 link Log in\n2 inp Email\n3 inp Password\n4 btn Log in';
    expect(await task.see({ ...WORKED, tree })).toMatchObject({ action: 'setValue(2, "demo@example.com")' });
  });

  test('go to an address, go back, scroll', async () => {
    const task = dialogue('go to https://example.com/a, scroll down, scroll to the top, then go back', {
      features: ALL_FEATURES,
    });
    expect(await task.see({ tree: '' })).toMatchObject({
      action: 'navigate("https://example.com/a")',
      actionDetails: { name: 'navigate', args: { url: 'https://example.com/a' } },
    });
    expect(await task.see({ ...WORKED, tree: '', url: 'https://example.com/a' })).toMatchObject({
      action: 'scroll()',
    });
    expect(
      await task.see({ ...WORKED, tree: '', url: 'https://example.com/a', scrollPosition: '50%' }),
    ).toMatchObject({
      action: 'scroll("top")',
    });
    expect(await task.see({ ...WORKED, tree: '', url: 'https://example.com/a' })).toMatchObject({
      action: 'back()',
    });
    expect(await task.see({ ...WORKED, tree: '' })).toMatchObject({ action: 'finish()' });
  });

  test('[INT-258] accepts a tree with full keys', async () => {
    const task = dialogue('click Buy now');
    const semanticNodes = [
      { id: 'a-1', role: 'link', name: 'Buy now, pay later' },
      { id: 'a-2', role: 'button', name: 'Buy now' },
    ];
    expect(await task.see({ tree: '', semanticNodes })).toMatchObject({
      action: 'click("a-2")',
      actionDetails: { elementId: 'a-2' },
    });
  });
});

describe('tools of the site’s map', () => {
  const withTools = { features: ['call'], tools: SHOP_TOOLS };

  test('calls tools for a search, the product in the cart and the way to the cart', async () => {
    const task = dialogue(
      'search for lamps, open the first result, add two lamps to the cart and open the cart',
      withTools,
    );
    expect(await task.see({ tree: START })).toMatchObject({
      action: 'call("search.open", {"query":"lamps"})',
      actionDetails: { name: 'call', args: { tool: 'search.open', arguments: { query: 'lamps' } } },
    });
    const answered = {
      lastActionStatus: 'success',
      lastActionResult: { success: true, actualState: '{"found":"2 products"}' },
    } as const;
    expect(await task.see({ ...answered, tree: RESULTS })).toMatchObject({ action: 'click(44)' });
    expect(await task.see({ ...WORKED, tree: LAMP, pageTitle: LAMP_TITLE })).toMatchObject({
      action: 'call("cart.add", {"quantity":2})',
    });
    expect(await task.see({ ...WORKED, tree: LAMP, pageTitle: LAMP_TITLE })).toMatchObject({
      action: 'call("cart.open", {})',
    });
    expect(await task.see({ ...WORKED, tree: '9 btn Checkout' })).toMatchObject({
      action: 'finish()',
      result: { found: '2 products' },
    });
  });

  test('does not report the answer of a search that was repeated in the singular', async () => {
    const task = dialogue('search for mugs', withTools);
    expect(await task.see({ tree: START })).toMatchObject({
      action: 'call("search.open", {"query":"mugs"})',
    });
    const actualState = '{"found":"Nothing found for “mugs”."}';
    const nothing = {
      lastActionStatus: 'success',
      lastActionResult: { success: true, actualState },
    } as const;
    const tree = '41 inp Search the shop =mugs\n48 link Awkward corners';
    expect(await task.see({ ...nothing, tree })).toMatchObject({ action: 'setValue(41, "mug")' });
    const found = { tree: RESULTS, recentEvents: ['2 products for “mug”'] };
    const end = await task.see({ ...WORKED, ...found });
    expect(end).toMatchObject({ action: 'finish()', status: 'completed' });
    expect(JSON.stringify(end)).not.toContain('Nothing found');
  });

  test('calls no tool on an unrelated page, and none that the client lacks', async () => {
    const elsewhere = dialogue('add two lamps to the cart', withTools);
    expect(await elsewhere.see({ tree: LAMP, pageTitle: 'Oak board · Lantern & Oak' })).toMatchObject({
      action: 'click(60)',
    });
    const unable = dialogue('open the cart', { tools: SHOP_TOOLS });
    expect(await unable.see({ tree: START })).toMatchObject({ action: 'click(5)' });
  });

  test('one call replaces the whole form with its button, if all arguments are known', async () => {
    const values =
      'email ada@example.com, full name "Ada Lovelace", street "Mill Lane 3", postcode 10115, city Berlin, country germany';
    const task = dialogue(`fill the form with ${values} and submit, then pay`, withTools);
    expect(await task.see({ tree: CHECKOUT })).toMatchObject({
      actionDetails: {
        args: {
          tool: 'checkout.deliver',
          arguments: {
            email: 'ada@example.com',
            name: 'Ada Lovelace',
            street: 'Mill Lane 3',
            postcode: '10115',
            city: 'Berlin',
            country: 'Germany',
          },
        },
      },
    });
    expect(await task.see({ ...WORKED, tree: '99 inp Card number' })).toMatchObject({
      action: 'call("checkout.pay", {})',
    });
  });

  test('fills the fields one by one if arguments are missing', async () => {
    const task = dialogue('fill the form with name Ada and submit', withTools);
    expect(await task.see({ tree: CHECKOUT })).toMatchObject({ action: 'setValue(73, "Ada")' });
  });

  test('falls back to the page when a tool fails', async () => {
    const task = dialogue('open the cart', withTools);
    expect(await task.see({ tree: START })).toMatchObject({ action: 'call("cart.open", {})' });
    const failure = failedWith('state_mismatch', 'The page is not in the state shop_open.');
    expect(await task.see({ ...failure, tree: START })).toMatchObject({
      action: 'click(5)',
      status: 'correcting',
    });
  });

  test('words, enums and named arguments match their property', async () => {
    const tools = [
      {
        name: 'card.add',
        inputSchema: {
          type: 'object',
          required: ['title'],
          properties: { title: { type: 'string' }, lane: { enum: ['to-do', 'done'] } },
        },
      },
      {
        name: 'stock.reserve',
        inputSchema: {
          type: 'object',
          required: ['sku'],
          properties: { sku: { type: 'string', pattern: '^[A-Z]' } },
        },
      },
    ];
    const add = dialogue("add a card 'Buy milk' to done", { features: ['call'], tools });
    expect(await add.see({ tree: '' })).toMatchObject({
      action: 'call("card.add", {"lane":"done","title":"Buy milk"})',
    });
    const reserve = dialogue('reserve stock sku AB-12', { features: ['call'], tools });
    expect(await reserve.see({ tree: '' })).toMatchObject({
      action: 'call("stock.reserve", {"sku":"AB-12"})',
    });
  });
});
