import { ADDRESS } from './address.ts';
import type { Decide } from './decisions.ts';
import type { DemoSetup } from './demo-setup.ts';
import type { McpAgent } from './mcp-agent.ts';
import type { Narrator } from './narrator.ts';

const LAMP = 'dusk-table-lamp';
/** The shop's test card. */
const CARD = { number: '4242 4242 4242 4242', expiry: '08/30', code: '123' };
const READING_MS = 2_000;

/** An agent finds a lamp by the shop's map, and pays after a person's approval. */
export async function playPurchase(
  { agent, person, shop }: DemoSetup,
  narrator: Narrator,
  decide: Decide,
): Promise<void> {
  const { print, pause, wait } = narrator;
  print('act', { act: 'purchase' }, 'act', '1. An agent buys a lamp, through the shop’s map');
  const go = walk(agent, narrator);
  await go('search.open', '/search', { query: 'lamp' });
  const { told } = trustPage<{ told: string }>(await read(agent, 'state_summary', 'shop.results'), 'summary');
  print('searched', { query: 'lamp', told }, 'done', `The agent searches: ${told}.`);
  await pause(READING_MS);
  await go('product.open', '/products/', { product: LAMP });
  await agent.site('cart.add', { quantity: 1 });
  print(
    'carted',
    { product: LAMP, quantity: 1 },
    'done',
    'The agent puts one Dusk table lamp into the cart.',
  );
  await pause(READING_MS);
  await go('cart.open', '/cart');
  await go('checkout.open', '/checkout');
  await agent.site('checkout.deliver', ADDRESS);
  const checkout = await read(agent, 'state_read', 'shop.checkout');
  const to_pay = euros(trustPage<{ to_pay_cents: number }>(checkout, 'state').to_pay_cents);
  print('delivery', { to_pay }, 'done', `The agent fills in the address. The total is ${to_pay}.`);
  await pause(READING_MS);
  const pay = await fillCard(agent, wait);
  const paying = agent.call('act', { steps: [{ do: 'click', id: pay }] });
  // A refusal rejects the call too; the decision is reported first.
  paying.catch(() => {});
  // The card is in the payment provider's frame; others may ask at the same time.
  const prompt = await person.event('permission_prompt', ({ prompt_text }) =>
    prompt_text.includes(shop.payUrl),
  );
  const { allowed } = await decide(
    prompt,
    `The agent presses “Pay ${to_pay}”. That can’t be undone, so nothing happens until you allow it.`,
  );
  if (!allowed) {
    await paying.catch(() => {});
    print('no_order', {}, 'done', 'The agent gets your no. Nothing was bought.');
    return;
  }
  await paying;
  await agent.call('wait', { for: 'url', value: '/orders/', timeout_ms: LONGEST_MS });
  const order = await read(agent, 'state_read', 'shop.order');
  const { number, paid_cents } = trustPage<{ number: string; paid_cents: number }>(order, 'state');
  print('ordered', { order: number, paid_cents }, 'done', `The order is placed: ${number}.`);
  await pause(READING_MS);
}

const TRIES = 3;
/** The longest wait of the tool. */
const LONGEST_MS = 30_000;

/** The map's timeouts may be short for a busy machine: waits, and tries again if nothing came. */
export const walk =
  (agent: McpAgent, { print }: Narrator) =>
  async (action: string, url: string, input: object = {}): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        await agent.site(action, input);
        return;
      } catch (error) {
        if (tries === TRIES) throw error;
        print('slow', { action }, 'note', 'The shop is slow to answer. The agent gives it more time.');
        if (await isAt(agent, url)) return;
      }
    }
  };

async function isAt(agent: McpAgent, url: string): Promise<boolean> {
  try {
    await agent.call('wait', { for: 'url', value: url, timeout_ms: LONGEST_MS });
    await agent.call('wait', { for: 'stable', timeout_ms: LONGEST_MS });
    return true;
  } catch {
    return false;
  }
}

const read = (agent: McpAgent, mode: 'state_read' | 'state_summary', projection_name: string) =>
  agent.call('site', { mode, projection_name });

const euros = (cents: number): string => `${(cents / 100).toFixed(2)} €`;

/** Returns the id of the pay button. */
async function fillCard(agent: McpAgent, wait: Narrator['wait']): Promise<string> {
  const form = await cardForm(agent, wait);
  const steps = [
    { do: 'fill', id: idOf(form, 'inp Card number'), value: CARD.number },
    { do: 'fill', id: idOf(form, 'inp Expiry'), value: CARD.expiry },
    { do: 'fill', id: idOf(form, 'inp CVC'), value: CARD.code },
  ];
  await agent.call('act', { steps });
  return idOf(form, PAY_BUTTON);
}

const PAY_BUTTON = 'btn Pay';
const LOOKS = 40;
const BETWEEN_LOOKS_MS = 250;

/** In a frame of another site, which loads after the page. */
async function cardForm(agent: McpAgent, wait: Narrator['wait']): Promise<string> {
  for (let look = 1; look < LOOKS; look += 1) {
    const page = await agent.call('snapshot', {});
    if (page.includes(PAY_BUTTON)) return page;
    await wait(BETWEEN_LOOKS_MS);
  }
  return agent.call('snapshot', {});
}

/** Id of a node by role and name: docs/page/line-form.md. */
function idOf(snapshot: string, node: string): string {
  const line = snapshot.split('\n').find((each) => each.split(' ').slice(1).join(' ').startsWith(node));
  const [id] = line?.split(' ') ?? [];
  if (id === undefined) throw new Error(`The shop shows no "${node}". Run the demo again.`);
  return id;
}

/** The map's view of the page, without its fence. Not validated: the map is ours. */
function trustPage<Shape>(text: string, part: 'state' | 'summary'): Shape {
  return JSON.parse(text.split('\n').find((line) => line.startsWith('{')) ?? '{}')[part];
}
