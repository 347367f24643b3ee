import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import { AgentProxy, openStateFile, openWorkspaces } from '@drawbridge/proxy';
import { startRelay } from '@drawbridge/relay';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { adapterOf, DEMO_AGENT, demoProfile } from '../proxy/agent-adapters.ts';
import { readProxyArguments } from '../proxy/proxy-arguments.ts';
import { connectPerson } from './person.ts';
import { DEMO_MACHINE, serveScriptedAgent } from './scripted-proxy.ts';

test("the demo's agent starts beside a proxy of this machine", async () => {
  const [data, own] = [await openDataFolder(temporaryFolder()), await openDataFolder(temporaryFolder())];
  const relay = await startRelay({ data: data.path, port: 0, env: {} });
  onTestFinished(relay.close);
  const mint = async (role: 'person' | 'proxy') =>
    (await relay.devices.mint({ roles: [role], label: role, by: 'machine' })).token;
  const workspaces = openWorkspaces([temporaryFolder()]);
  const state = openStateFile(join(data.path, 'proxy.db'), Date.now);
  onTestFinished(state.close);
  const { promise: open, resolve } = Promise.withResolvers<void>();
  const proxy = await AgentProxy.start({
    ...systemClock,
    ...{ url: relay.url, token: await mint('proxy'), machine_label: hostname() },
    newId: randomUUID,
    adapters: [adapterOf(demoProfile(), readProxyArguments([]), workspaces, data)],
    workspaces,
    state,
    onEvent: (event) => event.event === 'relay' && event.state === 'open' && resolve(),
  });
  onTestFinished(() => proxy.close());
  await open;
  const access = { relay: relay.url, token: await mint('proxy'), data: data.path };
  onTestFinished(await serveScriptedAgent(own, access));
  const person = await connectPerson(relay.url, await mint('person'));
  onTestFinished(person.close);
  const wish = { type: 'launch_session', agent_type: DEMO_AGENT, machine_label: DEMO_MACHINE } as const;
  const { session_id } = await person.link.request(wish);
  expect(session_id).not.toBe('');
});
