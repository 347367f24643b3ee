import { once } from 'node:events';
import { startRelay } from '@drawbridge/relay';

/** A relay in a child process, to be killed; prints its address and the tokens of the requested devices. */
export interface RelayOrder {
  readonly data: string;
  readonly port: number;
  readonly mint: readonly ('person' | 'proxy' | 'runtime')[];
}

const { data, port, mint }: RelayOrder = JSON.parse(await once(process.stdin, 'data').then(String));
const relay = await startRelay({
  data,
  port,
  log: (line) => {
    if (line.includes('"fault"')) process.stderr.write(`${line}\n`);
  },
});
const tokens: string[] = [];
for (const role of mint) {
  const { token } = await relay.devices.mint({ roles: [role], scopes: [], label: role, by: 'machine' });
  tokens.push(token);
}
process.stdout.write(`${JSON.stringify({ event: 'listening', port: relay.port, tokens })}\n`);
