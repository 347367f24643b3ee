import { type Shop, startShop } from '@drawbridge/demo-shop';
import { type Relay, startRelay } from '@drawbridge/relay';
import { ORDINARY_FORMS } from '@drawbridge/runtime';
import { webApp } from '@drawbridge/web';
import type { Terminal } from '../command.ts';
import { type DataFolder, openDataFolder } from '../live/data-folder.ts';
import { openLiveBridge } from '../live/live-bridge.ts';
import { openBrowser } from '../live/live-browser.ts';
import { openMaps } from '../live/live-maps.ts';
import { trustOwnCertificate } from '../live/own-certificate.ts';
import { retryUntilReady } from '../live/retry.ts';
import { openRunningRelay, type RunningRelay } from '../relay/local-relay.ts';
import { hostNames, isLoopback } from '../relay/reach.ts';
import { connectMcpAgent, type McpAgent } from './mcp-agent.ts';
import { connectPerson, type Person } from './person.ts';
import { serveScriptedAgent } from './scripted-proxy.ts';
import { writeShopMap } from './shop-map.ts';

export interface DemoSetupOptions {
  readonly host: string;
  readonly window: boolean;
  /** Allow everything without asking. */
  readonly auto: boolean;
}

/** Everything that the story uses, real and on this machine. */
export interface DemoSetup {
  readonly data: DataFolder;
  readonly relay: Relay;
  /** The relay's HTTP API as its owner. */
  readonly owner: RunningRelay;
  readonly shop: Shop;
  readonly agent: McpAgent;
  readonly person: Person;
  /** Current runtime id of the tab. */
  readonly runtime: () => string | undefined;
  readonly close: () => Promise<void>;
}

/** Starts a separate relay. */
export async function openDemoSetup(
  folder: string,
  options: DemoSetupOptions,
  terminal: Terminal,
): Promise<DemoSetup> {
  await using opening = new AsyncDisposableStack();
  const data = await openDataFolder(folder);
  const web = webApp();
  const relay = await startRelay({
    data: data.path,
    host: options.host,
    port: 0,
    web,
    hosts: hostNames(options),
    // Ignores model keys: the story is the same for everybody.
    env: {},
    ...(!isLoopback(options.host) && { tls: 'self-signed' as const }),
  });
  opening.defer(relay.close);
  const decider = options.auto ? 'the demo, for you' : 'you, at the terminal';
  const setup = await fillDemoSetup({ relay, data, own: data, decider, window: options.window }, terminal);
  opening.defer(setup.close);
  // Builds the web app before the link is shown and the agent starts.
  if (!options.auto)
    await retryUntilReady('Making the web app ready…', terminal, web(new Request(relay.url)));
  const opened = opening.move();
  return { ...setup, close: () => opened.disposeAsync() };
}

export interface DemoFolders {
  readonly relay: Relay;
  readonly data: DataFolder;
  /** Folder for the story's files. */
  readonly own: DataFolder;
  /** Name used for automatic decisions. */
  readonly decider: string;
  readonly window: boolean;
}

/** Opens shop, browser and agents at a running relay, and removes them at the end. */
export async function fillDemoSetup(place: DemoFolders, terminal: Terminal): Promise<DemoSetup> {
  await using opening = new AsyncDisposableStack();
  const { relay, data, own } = place;
  const { url, devices } = relay;
  const mint = async (role: 'agent' | 'person' | 'proxy', label: string): Promise<string> => {
    const { device, token } = await devices.mint({ roles: [role], label, by: 'machine' });
    opening.defer(() => devices.revoke(device.device_id, 'machine'));
    return token;
  };
  await trustOwnCertificate(data);
  const owner = await openRunningRelay(data.path);
  const [shopper, decider, proxy] = [
    await mint('agent', 'Shopping agent'),
    await mint('person', place.decider),
    await mint('proxy', 'Agents of the demo'),
  ];
  const shop = await startShop();
  opening.defer(() => shop.close());
  const maps = await openMaps([await writeShopMap(own.path, shop.url)], own);
  opening.defer(maps.close);
  const browser = await openBrowser(
    { headless: !place.window, url: shop.url, local: [shop.payUrl] },
    own,
    terminal,
  );
  const { asker, bridge } = relay;
  const live = openLiveBridge({ browser, maps: { ...maps, close: () => {} }, asker, data: own, bridge });
  opening.defer(live.close);
  opening.defer(relay.onHalt(live.grants.revokeAll));
  // Ordinary forms of the demo shop need no approval.
  live.grants.add({ origin: shop.url, covers: { name: ORDINARY_FORMS, effect: 'act' }, by: 'the demo' });
  opening.defer(await serveScriptedAgent(own, { relay: url, token: proxy, data: data.path }));
  await live.announced();
  const person = await connectPerson(url, decider);
  opening.defer(person.close);
  const opened = opening.move();
  return {
    ...{ data, relay, owner, shop, person },
    agent: connectMcpAgent(url, shopper, shop.url),
    runtime: () => live.surfaces.runtimes()[0]?.runtimeId,
    close: () => opened.disposeAsync(),
  };
}
