import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { listenOnLoopback } from '@drawbridge/testbed';

/** Sources without types, for a page to import unbundled. */
const FOLDERS: Readonly<Record<string, URL>> = {
  base: new URL('./', import.meta.resolve('@drawbridge/base')),
  link: new URL('../src/', import.meta.url),
  protocol: new URL('./', import.meta.resolve('@drawbridge/protocol')),
  typebox: new URL('./', import.meta.resolve('typebox')),
};

const IMPORTS = {
  '@drawbridge/base': '/base/index.ts',
  '@drawbridge/protocol': '/protocol/index.ts',
  typebox: '/typebox/index.mjs',
  'typebox/guard': '/typebox/guard/index.mjs',
  'typebox/schema': '/typebox/schema/index.mjs',
};

const PAGE = `<!doctype html><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module">
import * as link from '/link/index.ts';
import * as chat from '/link/chat/index.ts';
Object.assign(globalThis, { link, chat });
</script>`;

export async function servePageModules() {
  const server = createServer((request, response) => {
    void contentOf(request.url ?? '/').then(
      ({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  const port = await listenOnLoopback(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function contentOf(path: string): Promise<{ type: string; body: string }> {
  if (path === '/') return { type: 'text/html', body: PAGE };
  const [, name = '', ...rest] = path.split('/');
  const folder = FOLDERS[name];
  if (folder === undefined || rest.includes('..')) throw new Error('There is no such module.');
  const text = await readFile(new URL(rest.join('/'), folder), 'utf8');
  return { type: 'text/javascript', body: path.endsWith('.ts') ? stripTypeScriptTypes(text) : text };
}
