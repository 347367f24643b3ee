import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { systemClock } from '@drawbridge/link';
import { startNode } from '../../src/cluster/start-node.ts';

/** A node as a program: reports that it is loaded, and starts once it receives its options. */
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
// The compile cache is written at exit, and this program is killed.
flushCompileCache();
say({ loaded: true });
const { mint, ...options } = JSON.parse((await lines.next()).value ?? '{}');
let jumped = 0;
const node = await startNode({
  ...options,
  clock: { ...systemClock, now: () => systemClock.now() + jumped },
  log: (line) => {
    if (line.includes('"fault"') && process.env['DRAWBRIDGE_STAND_LOG'] !== undefined)
      process.stderr.write(`${line}\n`);
  },
});
const tokens: string[] = [];
for (const { role, scopes } of mint) {
  const { token } = await node.devices.mint({ roles: [role], scopes, label: role, by: 'machine' });
  tokens.push(token);
}
say({ url: node.url, node_id: node.node_id, tokens });
// An empty line ends the program.
for (let line = await lines.next(); line.value; line = await lines.next())
  jumped += JSON.parse(line.value).jump;
await node.close();
process.exit(0);
