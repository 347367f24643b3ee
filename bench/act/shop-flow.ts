import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Shop, startShop } from '@drawbridge/testbed';
import { tokensOf } from '@drawbridge/testbed/tokens';
import type { BenchChromium, Tab } from '../page/chromium.ts';
import { drawbridgeDriver, shopBySiteTools, startDrawbridge } from './drawbridge-driver.ts';
import type { McpSession } from './mcp-session.ts';
import {
  agentBrowser,
  agentBrowserDriver,
  devtoolsDriver,
  playwrightDriver,
  startDevtools,
  startPlaywright,
} from './peer-drivers.ts';
import { type Exchange, startTally, type Tally } from './reported-tokens.ts';
import { type ShopDriver, shopWith } from './shop-agent.ts';
import { SHOP_STEPS } from './shop-step.ts';

export interface ShopFlow extends Exchange {
  readonly name: string;
  readonly kind: 'ours' | 'peer' | 'command';
  readonly tokens: number;
  /** Tokens that a model gets before it starts. Unknown for a CLI. */
  readonly surfaceTokens: number | undefined;
  /** Number of confirmations by a person. */
  readonly questions: number;
  readonly ms: number;
}

interface FlowSubject {
  readonly name: string;
  readonly kind: ShopFlow['kind'];
  run(shop: Shop, chromium: BenchChromium, tally: Tally): Promise<Surface | undefined>;
}

type Surface = McpSession['surface'] & { readonly questions: number };

/** Two lamps and express delivery: the total appears only when every step was done. */
const DIALOG = 'Pay 110.90 €';
const isDone = (text: string): boolean => text.includes(DIALOG);

const byMcp = (
  name: string,
  kind: ShopFlow['kind'],
  start: (port: number, url: string) => Promise<McpSession>,
  handsOf: (session: McpSession, tally: Tally) => ShopDriver,
): FlowSubject => ({
  name,
  kind,
  async run({ url }, { port }, tally) {
    const session = await start(port, url);
    try {
      await shopWith(handsOf(session, tally), SHOP_STEPS, isDone);
      return { ...session.surface, questions: session.questions().length };
    } finally {
      session.close();
    }
  },
});

export const BY_SNAPSHOT = 'ours: snapshot and act';
export const BY_SITE = "ours: the map's tools by site";

export const FLOW_SUBJECTS: readonly FlowSubject[] = [
  byMcp(BY_SNAPSHOT, 'ours', startDrawbridge, drawbridgeDriver),
  {
    name: BY_SITE,
    kind: 'ours',
    async run({ url }, { port }, tally) {
      await using map = await mapFor(url);
      const session = await startDrawbridge(port, url, ['--map', map.file]);
      try {
        await shopBySiteTools(session, tally);
        return { ...session.surface, questions: session.questions().length };
      } finally {
        session.close();
      }
    },
  },
  byMcp('@playwright/mcp', 'peer', startPlaywright, playwrightDriver),
  byMcp('chrome-devtools-mcp', 'peer', startDevtools, devtoolsDriver),
  {
    name: 'agent-browser',
    kind: 'command',
    async run(_shop, { port }, tally) {
      const command = agentBrowser(port);
      try {
        await shopWith(agentBrowserDriver(command, tally), SHOP_STEPS, isDone);
        return undefined;
      } finally {
        await command('close');
      }
    },
  },
];

/** A separate shop and tab for every agent, so that carts do not mix. */
export async function runShopFlow(chromium: BenchChromium, subject: FlowSubject): Promise<ShopFlow> {
  const { name, kind } = subject;
  const shop = await startShop();
  const tab = await chromium.openTab();
  try {
    await chromium.closeOthers(tab);
    await tab.goto(shop.url);
    const tally = startTally();
    const started = performance.now();
    const surface = await subject.run(shop, chromium, tally);
    const ms = performance.now() - started;
    await requireDialog(tab);
    const exchange = tally.exchange();
    return {
      name,
      kind,
      ...exchange,
      tokens: exchange.written + exchange.read,
      surfaceTokens: surface && tokensOf(JSON.stringify(surface.tools)) + tokensOf(surface.instructions),
      questions: surface?.questions ?? 0,
      ms,
    };
  } finally {
    await shop.close();
  }
}

/** Checks the page itself, not the server's answers. */
async function requireDialog(tab: Tab): Promise<void> {
  const shown = await tab.evaluate<string>(
    `[...document.querySelectorAll('[role=dialog]')].map((dialog) => dialog.innerText).join()`,
  );
  if (!isDone(shown)) throw new Error(`The flow ended without the payment dialog, but with: ${shown}`);
}

const SHOP_MAP = join(import.meta.dirname, '../../maps/shop/actions.json');

/** The shop's map, rewritten for the shop's current address. */
async function mapFor(origin: string): Promise<{ readonly file: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-bench-map-'));
  const file = join(folder, 'actions.json');
  const map: { readonly surface: object } = JSON.parse(await readFile(SHOP_MAP, 'utf8'));
  await writeFile(file, JSON.stringify({ ...map, surface: { ...map.surface, origin } }));
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
