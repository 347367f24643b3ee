import { createServer, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { listenOnLoopback } from '@drawbridge/testbed';

export interface HttpServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves a function from Request to Response on loopback. */
export async function serveHttp(handle: (request: Request) => Promise<Response>): Promise<HttpServer> {
  const server = createServer(async (incoming, outgoing) => {
    const response = await handle(await requestOf(incoming));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    // A client that leaves during an answer is no failure of ours.
    Readable.fromWeb(response.body ?? new ReadableStream({ start: (end) => end.close() }))
      .on('error', () => outgoing.destroy())
      .pipe(outgoing);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks).toString();
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request(`http://${headers.host}${url}`, { method, headers: pairs, body });
}
