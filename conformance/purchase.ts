import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { type Shop, startShop } from '@drawbridge/testbed';
import { callTool, type InspectorCli } from './inspector-cli.ts';
import { openTerminal, type PersonsTerminal } from './terminal.ts';

const MAP = join(import.meta.dirname, '../maps/shop/actions.json');
const CARD = { number: '5555 5555 5555 4444', expiry: '08/30', code: '7391' };
const DELIVERY = {
  email: 'inspector@example.com',
  name: 'Demo Buyer',
  street: 'Harbour Street 1',
  postcode: '10115',
  city: 'Berlin',
  country: 'Germany',
};
/** Longer than the 0.4 s in which answers are ignored, since nobody reads that fast. */
const READING_MS = 600;
const MOST_LOOKS = 10;

/**
 * Buys a lamp, from the search to the order's number, with one process per call. They share the browser that
 * `drawbridge browser` lends, and its person says yes in that terminal.
 */
export async function buyLamp(home: string, era: InspectorCli['era']): Promise<string> {
  const shop = await startShop();
  const data = join(home, `lent-${era}`);
  const lending = ['--headless', '--port', '0', '--data', data, '--map', mapFor(shop, home)];
  const terminal = openTerminal(['browser', ...lending, '--url', `${shop.url}/`]);
  try {
    await terminal.until('tools');
    const number = await buy(shop, { home, era, mcp: ['--data', data] }, terminal);
    strictEqual(await terminal.end(), 0, `drawbridge browser did not end well: ${terminal.shown()}`);
    return number;
  } finally {
    await terminal.end();
    await shop.close();
  }
}

async function buy(shop: Shop, cli: InspectorCli, terminal: PersonsTerminal): Promise<string> {
  const heard: string[] = [];
  const say = async (name: string, args: object = {}) => {
    const text = await callTool(cli, name, args);
    heard.push(text);
    return text;
  };
  const site = (action: string, args: object = {}) => say('site', { mode: 'call', action, arguments: args });

  match(await site('search.open', { query: 'lamp' }), /3 products for “lamp”/);
  const ids = { mode: 'state_summary', projection_name: 'shop.results', summary_name: 'ids' };
  match(await say('site', ids), /dusk-table-lamp/);
  await site('product.open', { product: 'dusk-table-lamp' });
  match(await site('cart.add', { quantity: 2 }), /"added":2/);
  await site('cart.open');
  await site('checkout.open');
  await site('checkout.deliver', DELIVERY);

  const form = await lookFor('btn Pay 102.90 €', () => say('snapshot'));
  const fill = (node: string, value: string) => ({ do: 'fill', id: idOf(form, node), value });
  const card = [
    fill('inp Card number', CARD.number),
    fill('inp Expiry', CARD.expiry),
    fill('inp CVC', CARD.code),
  ];
  await say('act', { steps: card });
  doesNotMatch(terminal.shown(), /permission/);

  const asked = terminal.shown().length;
  const paying = say('act', { steps: [{ do: 'click', id: idOf(form, 'btn Pay') }] });
  await Promise.race([paying, terminal.until('y = yes, this once', asked)]);
  const question = terminal.shown().slice(asked);
  ok(question.includes('An agent asks for your permission'), `It was not asked for: ${question}`);
  ok(question.includes(shop.payUrl), `The question does not name the card form's origin: ${question}`);
  deepStrictEqual(shop.orders(), []);
  await pass(READING_MS);
  terminal.type('y\n');
  await paying;

  await say('wait', { for: 'url', value: '/orders/' });
  const [order, ...more] = shop.orders();
  deepStrictEqual([order?.totalCents, order?.cardEnding, more], [10_290, '4444', []]);
  const read = await say('site', { mode: 'state_read', projection_name: 'shop.order' });
  const number = /"number":"([^"]+)"/.exec(read)?.[1] ?? 'none';
  strictEqual(number, order?.number);
  doesNotMatch(heard.join('\n').replaceAll(/[\s-]/g, ''), /5555555555554444/);
  return number;
}

async function lookFor(wanted: string, look: () => Promise<string>): Promise<string> {
  let seen = '';
  for (let times = 0; times < MOST_LOOKS && !seen.includes(wanted); times++) seen = await look();
  ok(seen.includes(wanted), `${wanted} never came: ${seen}`);
  return seen;
}

/** Id in the snapshot line of a node with this role and name. */
function idOf(snapshot: string, node: string): string {
  const line = snapshot.split('\n').find((each) => each.split(' ').slice(1).join(' ').startsWith(node));
  return line?.split(' ')[0] ?? `no ${node}`;
}

/** The shop's map, rewritten for the shop's address. */
function mapFor({ url }: Shop, folder: string): string {
  const map: { readonly surface: object } = JSON.parse(readFileSync(MAP, 'utf8'));
  const file = join(folder, 'actions.json');
  writeFileSync(file, JSON.stringify({ ...map, surface: { ...map.surface, origin: url } }));
  return file;
}
