import { fileURLToPath } from 'node:url';
import { SHORT_ROLES } from '@drawbridge/protocol/semantic';
import { type McpSession, startMcpSession } from './mcp-session.ts';
import type { Tally } from './reported-tokens.ts';
import { lastLine, type Placed, type ShopDriver } from './shop-agent.ts';
import { DELIVERY } from './shop-step.ts';

const PROGRAM = fileURLToPath(new URL('../../apps/cli/bin/drawbridge.mjs', import.meta.url));

/** `drawbridge mcp` in a child process, with the tabs at an address lent. */
export function startDrawbridge(
  port: number,
  url: string,
  more: readonly string[] = [],
): Promise<McpSession> {
  const attach = ['--attach', `http://127.0.0.1:${port}`, '--lend', url];
  return startMcpSession(PROGRAM, ['mcp', ...attach, ...more]);
}

/** `12 btn Add to cart =value [state]`, after a `+` where it is new. */
export const OUR_LINE = /^\+?(?<id>\S+) (?<role>[a-z]+) (?<name>.*)$/gm;

export function drawbridgeDriver(session: McpSession, { counted }: Tally): ShopDriver {
  const call = (tool: string, args: object) =>
    counted(`${tool} ${JSON.stringify(args)}`, session.call(tool, { ...args }));
  return {
    look: () => call('snapshot', {}),
    find: (text, { role, name }) =>
      lastLine(text, OUR_LINE, (short, told) => short === SHORT_ROLES[role] && told.startsWith(name)),
    act: (actions) => call('act', { steps: actions.map(stepOf) }),
  };
}

const stepOf = ({ kind, id, value }: Placed) => ({ do: kind, id, ...(value !== undefined && { value }) });

/**
 * The same purchase with the tools of the shop's map: the agent lists them once and never looks at the page.
 */
export async function shopBySiteTools(session: McpSession, { counted }: Tally): Promise<void> {
  const site = (args: object) => counted(`site ${JSON.stringify(args)}`, session.call('site', { ...args }));
  const call = (action: string, given: object = {}) =>
    site({ mode: 'call', action, ...(Object.keys(given).length > 0 && { arguments: given }) });
  await site({ mode: 'list' });
  await call('search.open', { query: 'lamp' });
  const results = await site({ mode: 'state_summary', projection_name: 'shop.results', summary_name: 'ids' });
  const [product = ''] = /dusk-table-lamp/.exec(results) ?? [];
  await call('product.open', { product });
  await call('cart.add', { quantity: 2 });
  await call('cart.open');
  await call('checkout.open');
  await call('checkout.deliver', DELIVERY);
  const checkout = await site({ mode: 'state_summary', projection_name: 'shop.checkout' });
  if (!checkout.includes('"payment_open":true'))
    throw new Error(`The agent did not see the card form in ${checkout}`);
}
