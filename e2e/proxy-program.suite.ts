import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import {
  AgentProxy,
  createAcpAdapter,
  customProfile,
  openStateFile,
  openWorkspaces,
} from '../packages/proxy/src/index.ts';

/** A proxy as a process of its own, to be killed: it tells its events, a line each. */
export interface ProgramOrder {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
}

const { url, token, folder, command }: ProgramOrder = JSON.parse(process.argv[2] ?? '{}');
const means = { ...systemClock, newId: randomUUID };
const workspaces = openWorkspaces([folder]);
const adapter = createAcpAdapter({
  ...means,
  profile: customProfile('scripted', command),
  workspaces: workspaces.all,
  attachments: join(folder, 'attachments'),
  promptTimeoutMs: undefined,
});
await AgentProxy.start({
  ...means,
  url,
  token,
  machine_label: 'studio',
  adapters: [adapter],
  workspaces,
  state: openStateFile(join(folder, 'proxy.db'), Date.now),
  onEvent: (event) => process.stdout.write(`${JSON.stringify(event)}\n`),
});
