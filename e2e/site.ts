import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';

/** A site for one test: HTML by path. */
export async function startSite(pages: Readonly<Record<string, string>>) {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url ?? '/', 'http://site').pathname];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html>${page ?? 'There is no such page.'}`);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    /** The same site under another origin. */
    otherUrl: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
