import { randomUUID } from 'node:crypto';
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
} from '@drawbridge/proxy';
import { answerCalls, trustInput } from '../relay/child.ts';

export interface ProxyInput {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
  /** An ACP agent. */
  readonly command?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Panels, each by its map, at a debugging port. */
  readonly maps?: readonly string[];
  readonly endpoint?: string;
}

const { url, token, folder, command, env = {}, maps = [], endpoint = '' } = trustInput<ProxyInput>();
const means = { ...systemClock, newId: randomUUID };
const workspaces = openWorkspaces([folder]);
const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
const exactNow = (): number => Number(process.hrtime.bigint()) / 1e6;

const panels = maps.map((map) =>
  createPanelAdapter({ ...means, map, endpoints: [endpoint], workspaces: workspaces.all, evaluator }),
);
const acp = (agent: readonly [string, ...string[]]): AgentAdapter =>
  createAcpAdapter({
    ...means,
    profile: { ...customProfile('scripted', agent), env },
    workspaces: workspaces.all,
    attachments: join(folder, 'attachments'),
    promptTimeoutMs: undefined,
  });

const got = new Map<string, number>();
const reported = new Map<string, number>();
await AgentProxy.start({
  ...means,
  url,
  token,
  machine_label: 'bench',
  adapters: [...(command === undefined ? [] : [acp(command)]), ...(await Promise.all(panels))],
  workspaces,
  state: openStateFile(join(folder, `proxy-${process.pid}.db`), Date.now),
  connect: (options) => {
    const link = connectChat(options);
    link.onFrame((frame) => {
      if (frame.type === 'send_message') got.set(frame.client_message_id, exactNow());
    });
    return link;
  },
  onEvent: (event) => {
    if (event.event === 'delivery') reported.set(event.client_message_id, exactNow());
  },
});
let cpu = process.cpuUsage();

const calls = {
  /** When the proxy got a send, and when it reported it. */
  times: (client_message_id: string) => ({
    got: got.get(client_message_id) ?? Number.NaN,
    reported: reported.get(client_message_id) ?? Number.NaN,
  }),
  /** Memory, and CPU since the last call. */
  figures: () => {
    globalThis.gc?.();
    const used = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    // Excludes the process's RSS: the bundler that made the page code leaves hundreds of megabytes behind.
    const { heapUsed, external } = process.memoryUsage();
    return { held: heapUsed + external, cpuMs: (used.user + used.system) / 1e3 };
  },
};
export type ProxyCalls = typeof calls;
answerCalls(calls);
