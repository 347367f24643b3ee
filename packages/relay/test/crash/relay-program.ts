import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { startRelay } from '../../src/server/start-relay.ts';

/**
 * The relay as a program. Reports that it is loaded, and starts once it receives its folder, because loading
 * its modules takes longer than most lives in the test.
 */
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
// The compile cache is written at exit, and this program is killed.
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
