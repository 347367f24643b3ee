import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { listenOnLoopback } from '@drawbridge/testbed';
import { PROGRAM } from './child.ts';
import type { HttpServer } from './http-server.ts';

/**
 * `/mcp` of `drawbridge up`. The suite cannot send a token, so this adds one and replaces its own host name
 * by the relay's. Any other name is left for the relay to refuse.
 */
export async function startRelayServer(): Promise<HttpServer> {
  const data = mkdtempSync(join(tmpdir(), 'drawbridge-conformance-relay-'));
  const relay = spawn(
    process.execPath,
    [PROGRAM, 'up', '--no-browser', '--json', '--port', '0', '--data', data],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(relay, 'exit');
  const [line] = await once(createInterface({ input: relay.stdout }), 'line');
  const { url, token }: { url: string; token: string } = JSON.parse(line);
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const isToUs = headers.host === `127.0.0.1:${port}`;
    const onward = request(`${url}${incoming.url}`, {
      method,
      headers: {
        ...headers,
        ...(isToUs && { host: new URL(url).host }),
        ...(isToUs && headers.origin && { origin: url }),
        authorization: `Bearer ${token}`,
      },
    });
    onward.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      server.closeAllConnections();
      server.close();
      relay.kill('SIGTERM');
      await exited;
      rmSync(data, { recursive: true, force: true });
    },
  };
}
