import { startNode } from '@drawbridge/relay';
import { answerCalls, trustInput } from '../relay/child.ts';
import { UNPACED } from '../relay/relay-bench.ts';
import type { DeviceOrder } from '../relay/relay-program.ts';

export interface NodeInput {
  readonly data: string;
  readonly database: string;
  readonly bus: string;
}

const faults: string[] = [];
const node = await startNode({
  ...trustInput<NodeInput>(),
  port: 0,
  limits: UNPACED,
  log: (line) => {
    if (line.includes('"fault"')) faults.push(line);
  },
});
let cpu = process.cpuUsage();

const calls = {
  place: () => ({ url: node.url, keeps: node.isLeader() }),
  mint: (orders: readonly (DeviceOrder | { readonly role: 'agent' | 'runtime' | 'owner' })[]) =>
    Promise.all(
      orders.map(async ({ role, ...more }) => {
        const scopes = 'scopes' in more ? (more.scopes ?? []) : [];
        const { token } = await node.devices.mint({ roles: [role], scopes, label: role, by: 'machine' });
        return token;
      }),
    ),
  /** Figures since the last call. */
  figures: () => {
    const used = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    return { cpuSeconds: (used.user + used.system) / 1e6, faults: faults.splice(0) };
  },
};
export type NodeCalls = typeof calls;
answerCalls(calls);
