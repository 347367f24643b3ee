import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import {
  AgentProxy,
  createAgentRegister,
  endOrphans,
  openStateFile,
  openWorkspaces,
} from '@drawbridge/proxy';
import type { ExitCode, Terminal } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { listenForEnd } from '../live/ending.ts';
import { adapterOf, panelAdapters, wantedProfiles, withheldFrom } from './agent-adapters.ts';
import { credentialStatus, joinAsProxy } from './joined-proxy.ts';
import type { ProxyOptions } from './proxy-arguments.ts';
import { createProxyLog } from './proxy-log.ts';

export async function serveAgents(
  options: ProxyOptions,
  token: string | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  await using closing = new AsyncDisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const data = await openDataFolder(options.data);
  const workspaces = openWorkspaces(options.workspaces);
  const profiles = await wantedProfiles(options);
  const panels = await panelAdapters(options, workspaces);
  closing.defer(panels.close);
  if (profiles.length + panels.adapters.length === 0)
    throw new Error(
      'No known agent is installed. To install one, see: drawbridge proxy doctor\nTo try it without: drawbridge proxy --agent demo',
    );
  const state = openStateFile(join(data.path, 'proxy.db'), Date.now);
  closing.defer(state.close);
  await endOrphans(state);
  const register = createAgentRegister(state);
  const joined = await joinAsProxy(options, token, data);
  const { promise: refused, resolve: refuse } = Promise.withResolvers<string>();
  const log = createProxyLog(options.json, terminal, Date.now);
  log.begin(joined, {
    agents: [...profiles, ...panels.adapters].map(({ name }) => name),
    workspaces: workspaces.all,
    withheld: profiles.length === 0 ? [] : withheldFrom(profiles),
  });
  const proxy = await AgentProxy.start({
    ...systemClock,
    ...joined,
    newId: randomUUID,
    adapters: [
      ...profiles.map((profile) => adapterOf(profile, options, workspaces, data, register, joined)),
      ...panels.adapters,
    ],
    workspaces,
    state,
    checkCredential: () => credentialStatus(joined),
    onEvent: (event) => {
      log.print(event);
      if (event.event === 'relay' && event.state === 'closed')
        refuse('This machine’s device was revoked. Pair it again: drawbridge pair --role proxy');
    },
  });
  closing.defer(() => proxy.close());
  const trouble = await Promise.race([ending.asked, refused]);
  terminal.printError(trouble ?? 'Stopping the agents…');
  return trouble === undefined ? 0 : 1;
}
