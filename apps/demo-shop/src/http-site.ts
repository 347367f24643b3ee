import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export type Call = { request: Request; url: URL; params: Record<string, string | undefined> };

export type Route = {
  method: 'GET' | 'POST';
  path: string;
  answer(call: Call): Response | Promise<Response>;
};

export type Site = { port: number; serve(routes: readonly Route[]): void; close(): Promise<void> };

type MatchedRoute = Route & { pattern: URLPattern };

const LARGEST_BODY_BYTES = 8 * 1024 * 1024;

/** Opens the port before it gets its routes: the routes need the ports of both sites. */
export async function openSite(host: string, port: number): Promise<Site> {
  let served: MatchedRoute[] = [];
  const server = createServer((request, response) => {
    reply(request, served)
      .catch((error: unknown) => new Response(`The shop failed: ${String(error)}`, { status: 500 }))
      .then((answer) => send(answer, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the site has no port');
  return {
    port: address.port,
    serve(routes) {
      served = routes.map((route) => ({ ...route, pattern: new URLPattern({ pathname: route.path }) }));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function reply(incoming: IncomingMessage, routes: readonly MatchedRoute[]): Promise<Response> {
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`);
  const method = incoming.method === 'HEAD' ? 'GET' : incoming.method;
  for (const route of routes) {
    if (route.method !== method) continue;
    const match = route.pattern.exec({ pathname: url.pathname });
    if (!match) continue;
    const body = await readBody(incoming);
    if (body === undefined) return new Response('That is too large.', { status: 413 });
    return route.answer({ request: toRequest(incoming, url, body), url, params: match.pathname.groups });
  }
  return new Response('Not found', { status: 404 });
}

function toRequest(incoming: IncomingMessage, url: URL, body: Buffer<ArrayBuffer>): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  return incoming.method === 'POST'
    ? new Request(url, { method: 'POST', headers, body })
    : new Request(url, { headers });
}

/** Reads to the end even above the limit: an aborted sender would never see the answer. */
async function readBody(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size <= LARGEST_BODY_BYTES) parts.push(bytes);
  }
  return size <= LARGEST_BODY_BYTES ? Buffer.concat(parts) : undefined;
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-length': body.length });
  response.end(body);
}
