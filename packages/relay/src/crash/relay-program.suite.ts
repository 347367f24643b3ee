import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { startRelay } from '../server/start-relay.ts';

/**
 * The relay as a program. It says that it is there, and starts once it is told where: loading its modules takes longer than most of
 * the lives that the test gives it.
 */
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
// The cache is written at a program's end, and this one is killed.
flushCompileCache();
say({ loaded: true });
const { data, mint } = JSON.parse((await lines.next()).value ?? '{}');
const relay = await startRelay({
  data,
  port: 0,
  log: (line) => {
    if (line.includes('"fault"')) process.stderr.write(`${line}\n`);
  },
});
const tokens: string[] = [];
for (const { role, scopes } of mint) {
  const { token } = await relay.devices.mint({ roles: [role], scopes, label: role, by: 'machine' });
  tokens.push(token);
}
say({ url: relay.url, tokens });
await lines.next();
await relay.close();
