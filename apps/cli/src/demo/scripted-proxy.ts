import { randomUUID } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import { AgentProxy, openStateFile, openWorkspaces } from '@drawbridge/proxy';
import type { DataFolder } from '../live/data-folder.ts';
import { adapterOf, demoProfile } from '../proxy/agent-adapters.ts';
import { joinAsProxy } from '../proxy/joined-proxy.ts';
import { readProxyArguments } from '../proxy/proxy-arguments.ts';
import { ADDRESS } from './address.ts';

export interface ProxyAccess {
  readonly relay: string;
  readonly token: string;
  /** The relay's folder. */
  readonly data: string;
}

/** Differs from the label of this machine's own proxy, which may run at the same relay. */
export const DEMO_MACHINE = `Demo on ${hostname()}`;

/** Work in the browser and in a folder; a person permits one step and stops another. */
const SCRIPT = [
  'say I follow a script, whatever you write. I order it in the browser first. Then I note it, and run the tests.',
  'site search.open {"query":"lamp"}',
  'site product.open {"product":"dusk-table-lamp"}',
  'site cart.add {"quantity":1}',
  'site cart.open',
  'site checkout.open',
  `site checkout.deliver ${JSON.stringify(ADDRESS)}`,
  'site checkout.buy_on_invoice',
  'note expenses.md shop.order number Dusk table lamp, on invoice',
  'say Now the tests.',
  'slow npm test',
].join('; ');

/** A scripted coding agent behind a real proxy. Returns how to end both. */
export async function serveScriptedAgent(
  data: DataFolder,
  access: ProxyAccess,
): Promise<() => Promise<void>> {
  await using opening = new AsyncDisposableStack();
  const workspace = join(await realpath(data.path), 'web-shop');
  await mkdir(workspace);
  const workspaces = openWorkspaces([workspace]);
  const lent = { url: access.relay, token: access.token, data: access.data };
  const options = { ...readProxyArguments([]), relay: access.relay, label: DEMO_MACHINE };
  const state = openStateFile(join(data.path, 'proxy.db'), Date.now);
  opening.defer(state.close);
  const { promise: open, resolve, reject } = Promise.withResolvers<void>();
  const proxy = await AgentProxy.start({
    ...systemClock,
    ...(await joinAsProxy(options, access.token, data)),
    newId: randomUUID,
    adapters: [adapterOf(demoProfile(SCRIPT), options, workspaces, data, undefined, lent)],
    workspaces,
    state,
    onEvent(event) {
      if (event.event !== 'relay') return;
      if (event.state === 'open') resolve();
      if (event.state === 'closed') reject(new Error('The relay did not let the coding agent in.'));
    },
  });
  opening.defer(() => proxy.close());
  await open;
  const opened = opening.move();
  return () => opened.disposeAsync();
}
