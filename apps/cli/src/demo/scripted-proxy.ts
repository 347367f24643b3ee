import { randomUUID } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import { AgentProxy, openStateFile, openWorkspaces } from '@drawbridge/proxy';
import type { DataFolder } from '../live/data-folder.ts';
import { adapterOf, demoProfile } from '../proxy/agent-adapters.ts';
import { joinAsProxy } from '../proxy/joined-proxy.ts';
import { PROXY_OPTIONS, readProxyArguments } from '../proxy/proxy-arguments.ts';

export interface ProxyAccess {
  readonly relay: string;
  readonly token: string;
}

/** A scripted coding agent behind a real proxy. Returns how to end both. */
export async function serveScriptedAgent(
  data: DataFolder,
  access: ProxyAccess,
): Promise<() => Promise<void>> {
  await using opening = new AsyncDisposableStack();
  const workspace = join(await realpath(data.path), 'web-shop');
  await mkdir(workspace);
  const workspaces = openWorkspaces([workspace]);
  const options = { ...readProxyArguments([], PROXY_OPTIONS), relay: access.relay };
  const state = openStateFile(join(data.path, 'proxy.db'), Date.now);
  opening.defer(state.close);
  const { promise: open, resolve, reject } = Promise.withResolvers<void>();
  const proxy = await AgentProxy.start({
    ...systemClock,
    ...(await joinAsProxy(options, access.token, data)),
    newId: randomUUID,
    adapters: [adapterOf(demoProfile(), options, workspaces, data)],
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
