import type { BrowserHarness } from '../browser-harness.ts';

/** A page with the usual parts of pages. */
export const PARTS = `<title>Parts</title>
<div role="tablist"><button role="tab" onclick="this.ariaSelected = 'true'">Reviews</button></div>
<details><summary>Delivery and returns</summary><p>Payment in two days. Order by noon, we send it today.</p></details>
<label>Arrival <input type="date" id="date"></label><button id="calendar" aria-haspopup="dialog">Choose a date</button>
<label>Comment <textarea id="draft"></textarea></label><label><input type="checkbox" id="stock"> In stock</label>
<button id="menu" aria-expanded="false">Menu</button><a href="?page=2" id="next">Next</a>
<select aria-label="Sort order" id="sort"><option>Order by price<option>Order by name</select>
<dialog open><form method="dialog"><button id="close">Close</button></form></dialog><button id="cookies">Accept all</button>
<div role="dialog" aria-label="Cookie settings"><h2>We value your privacy</h2><p>We use cookies to approve and pay for ads.</p>
  <button id="consent">Accept all</button><button id="refuse">Reject all</button></div>
<div role="dialog" aria-labelledby="gone"><h2 id="gone">Delete this draft?</h2><button id="keep-draft">Keep editing</button>
  <button id="cross" data-bs-dismiss="modal"></button><button>Delete</button></div>
<div role="dialog" aria-label="Compose: send a message"><textarea aria-label="Message"></textarea><button id="bold">Bold</button></div>
<article id="card" oncontextmenu="event.preventDefault(); document.title = 'Menu'">A card</article>
<label>Picture <input type="file" id="picture"></label>
<fieldset><legend>Payment and delivery</legend><input aria-label="Voucher"><button id="voucher" type="button">Add</button></fieldset>`;

export interface BenignSites {
  readonly shop: string;
  readonly library: string;
  readonly board: string;
  readonly parts: string;
  /** A page of the local network that nobody lent. */
  readonly router: string;
}

type Task = readonly [name: string, run: () => Promise<unknown>];

/** Ordinary tasks, in this order. */
export function benignTasks(
  hands: Pick<BrowserHarness, 'call' | 'goto'>,
  { shop, library, board, parts, router }: BenignSites,
): readonly Task[] {
  type Step = (name: string, selector: string, args?: object) => Promise<void>;
  const step: Step = async (name, selector, args = {}) => {
    await hands.call('locator.wait_for', { locator: { selector }, state: 'visible', timeout_ms: 5_000 });
    const { id } = (await hands.call('locator.element_info', { locator: { selector } })) as { id: string };
    await hands.call(name, { id, ...args });
  };
  const click = (selector: string) => step('element.click', selector);
  const fill = (selector: string, text: string) => step('element.fill', selector, { text });
  const enter = (selector: string) => step('element.keys', selector, { keys: ['Enter'] });
  const at = (part: string) => hands.call('page.wait', { for: 'url', url_contains: part });
  return [
    [
      'search the shop',
      async () => {
        await hands.goto(`${shop}/`);
        await fill('.find input', 'lamp');
        await enter('.find input');
        await at('/search');
      },
    ],
    ['sort what was found', () => step('element.select', '#search select', { choice: { index: 1 } })],
    [
      'open a product',
      async () => {
        await click('a.name[href="/products/dusk-table-lamp"]');
        await at('/products/');
      },
    ],
    ['put it into the cart', () => click('[data-testid=add-to-cart]')],
    ['put it there again', () => click('[data-testid=add-to-cart]')],
    ['look at the cart', () => hands.goto(`${shop}/cart`)],
    [
      'page through the library',
      async () => {
        await hands.goto(`${library}/catalogue`);
        await click('a[rel=next]');
        await at('page=2');
      },
    ],
    [
      'place a hold on a book',
      async () => {
        await click('main li a[href^="/books/"]');
        await at('/books/');
        await click('[data-testid=place-hold]');
      },
    ],
    [
      'add a card to a board',
      async () => {
        await hands.goto(`${board}/`);
        await fill('#title', 'Water the roses');
        await click('[data-testid=add-card]');
      },
    ],
    ['move a card', () => click('.card button[data-to=done]')],
    [
      'use tabs, an accordion and a menu',
      async () => {
        await hands.goto(`${parts}/`);
        for (const selector of ['#close', '#cookies', '[role=tab]', 'summary', '#menu', '#calendar'])
          await click(selector);
      },
    ],
    [
      'accept cookies and leave dialogs',
      async () => {
        for (const id of ['consent', 'refuse', 'keep-draft', 'cross', 'bold', 'voucher'])
          await click(`#${id}`);
      },
    ],
    [
      'choose a date, a filter and an order',
      async () => {
        await fill('#date', '2026-11-20');
        await step('element.check', '#stock');
        await step('element.select', '#sort', { choice: { index: 1 } });
      },
    ],
    ['draft a comment and send nothing', () => fill('#draft', 'I would order it again.\nSend more.')],
    ['go to the next page', () => click('#next')],
    [
      'open the menu of a card by a right click',
      async () => {
        await hands.goto(`${parts}/`);
        await step('element.click', '#card', { button: 'right' });
      },
    ],
    ['copy a text', () => hands.call('clipboard.write', { text: 'A shopping list' })],
    ['read what was copied', () => hands.call('clipboard.read')],
    [
      'choose a picture to upload',
      () => step('element.upload', '#picture', { files: [{ name: 'rose.txt', base64: 'cm9zZQ==' }] }),
    ],
    [
      'read a page of the local network, twice',
      async () => {
        for (const path of ['/', '/?again']) {
          await hands.goto(`${router}${path}`);
          await hands.call('page.read');
        }
      },
    ],
  ];
}
