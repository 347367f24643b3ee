import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import { connectChat } from '@drawbridge/link/chat';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import {
  type AgentAdapter,
  AgentProxy,
  createAcpAdapter,
  createPanelAdapter,
  customProfile,
  openStateFile,
  openWorkspaces,
  tabLender,
} from '@drawbridge/proxy';

/** A proxy in a child process, to be killed; prints its events one per line. */
export interface ProgramOrder {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
  readonly agents:
    | {
        readonly command: readonly [string, ...string[]];
        /** Program of the MCP server for agents that were lent the browser. */
        readonly browser?: readonly [string, ...string[]];
      }
    | { readonly map: string; readonly endpoint: string };
  readonly maxUnsentChars?: number;
}

const { url, token, folder, agents, maxUnsentChars }: ProgramOrder = JSON.parse(
  await once(process.stdin, 'data').then(String),
);
const means = { ...systemClock, newId: randomUUID };
const workspaces = openWorkspaces([folder]);

const adapter: AgentAdapter =
  'map' in agents
    ? await createPanelAdapter({
        ...means,
        map: agents.map,
        endpoints: [agents.endpoint],
        workspaces: workspaces.all,
        evaluator: createWorkerEvaluator({ maxMs: 5_000 }),
      })
    : createAcpAdapter({
        ...means,
        profile: { ...customProfile('scripted', agents.command), inherits: ['SCRIPTED_AGENT_*'] },
        workspaces: workspaces.all,
        attachments: join(folder, 'attachments'),
        promptTimeoutMs: undefined,
        ...(agents.browser && { lend: { ...tabLender({ url, token }), server: agents.browser } }),
      });

await AgentProxy.start({
  ...means,
  url,
  token,
  machine_label: 'studio',
  adapters: [adapter],
  workspaces,
  ...(maxUnsentChars !== undefined && { maxUnsentChars }),
  state: openStateFile(join(folder, 'proxy.db'), Date.now),
  connect: (options) => connectChat({ ...options, backoff: { minMs: 20, maxMs: 200 } }),
  onEvent: (event) => process.stdout.write(`${JSON.stringify(event)}\n`),
});
