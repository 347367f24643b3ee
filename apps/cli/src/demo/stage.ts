import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Relay, startRelay } from '@drawbridge/relay';
import { type Shop, startShop } from '@drawbridge/testbed/shop';
import { webApp } from '@drawbridge/web';
import type { Terminal } from '../command.ts';
import { type DataFolder, openDataFolder } from '../live/data-folder.ts';
import { openLiveBridge } from '../live/live-bridge.ts';
import { openBrowser } from '../live/live-browser.ts';
import { openMaps } from '../live/live-maps.ts';
import { trustOwnCertificate } from '../live/own-certificate.ts';
import { patiently } from '../live/patience.ts';
import { openRunningRelay, type RunningRelay } from '../relay/local-relay.ts';
import { hostNames, isLoopback } from '../relay/reach.ts';
import { connectMcpAgent, type McpAgent } from './mcp-agent.ts';
import { connectPerson, type Person } from './person.ts';
import { serveScriptedAgent } from './scripted-proxy.ts';

export interface StageWishes {
  readonly host: string;
  readonly window: boolean;
  /** Nobody is asked. */
  readonly auto: boolean;
}

/** Everything that the story is played with: all of it real, and on this machine. */
export interface Stage {
  readonly data: DataFolder;
  readonly relay: Relay;
  /** The same relay, asked by its owner over HTTP. */
  readonly owner: RunningRelay;
  readonly shop: Shop;
  readonly agent: McpAgent;
  readonly person: Person;
  readonly close: () => Promise<void>;
}

export async function openStage(folder: string, wishes: StageWishes, terminal: Terminal): Promise<Stage> {
  await using opening = new AsyncDisposableStack();
  const data = await openDataFolder(folder);
  const shop = await startShop();
  opening.defer(() => shop.close());
  const maps = await openMaps([await writeShopMap(data, shop.url)], data);
  opening.defer(maps.close);
  const web = webApp();
  const relay = await startRelay({
    data: data.path,
    host: wishes.host,
    port: 0,
    web,
    maps,
    hosts: hostNames(wishes),
    // No key of a model is looked for: the story is the same for everybody.
    env: {},
    ...(!isLoopback(wishes.host) && { tls: 'self-signed' as const }),
  });
  opening.defer(relay.close);
  await trustOwnCertificate(data);
  const owner = await openRunningRelay(data.path);
  const browser = await openBrowser({ headless: !wishes.window, url: shop.url }, data, terminal);
  const { asker, bridge, url } = relay;
  const live = openLiveBridge({ browser, maps: { ...maps, close: () => {} }, asker, data, bridge });
  opening.defer(live.close);
  opening.defer(await serveScriptedAgent(data));
  const by = 'machine';
  const [shopper, decider] = await Promise.all([
    relay.devices.mint({ roles: ['agent'], label: 'Shopping agent', by }),
    relay.devices.mint({
      roles: ['person'],
      label: wishes.auto ? 'the demo, for you' : 'you, at the terminal',
      by,
    }),
    live.announced(),
  ]);
  const person = await connectPerson(url, decider.token);
  opening.defer(person.close);
  // A link that opens at once; and nothing is built while an agent waits for a page.
  if (!wishes.auto) await patiently('Making the web app ready…', terminal, web(new Request(url)));
  const opened = opening.move();
  const agent = connectMcpAgent(url, shopper.token);
  return { ...{ data, relay, owner, shop, agent, person }, close: () => opened.disposeAsync() };
}

const SHOP_MAP = fileURLToPath(new URL('../../../../maps/shop/actions.json', import.meta.url));

/** The map as we ship it, for a shop that has a port of its own. */
async function writeShopMap({ path }: DataFolder, origin: string): Promise<string> {
  const map: { readonly surface: object } = JSON.parse(await readFile(SHOP_MAP, 'utf8'));
  const file = join(path, 'shop-map.json');
  await writeFile(file, JSON.stringify({ ...map, surface: { ...map.surface, origin } }));
  return file;
}
