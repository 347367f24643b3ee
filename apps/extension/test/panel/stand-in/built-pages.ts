import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { listenOnLoopback, type OpenPage } from '@drawbridge/testbed';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import type { WorkerState } from '../../../src/wire.ts';
import type { StandIn } from './stand-in.tsx';

export type PageName = 'panel' | 'options' | 'welcome';

type Page = OpenPage['page'];

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

export type BuiltPages = Awaited<ReturnType<typeof buildPages>>;

/** The extension's built pages with a scripted worker. */
export async function buildPages() {
  const outDir = await mkdtemp(join(tmpdir(), 'panel-'));
  await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    plugins: [react(), tailwind()],
    build: { outDir, emptyOutDir: true, target: 'es2023', minify: false, reportCompressedSize: false },
  });
  // Chrome lets only local pages connect to a local relay.
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    readFile(join(outDir, pathname === '/' ? 'index.html' : pathname)).then(
      (bytes) => response.setHeader('content-type', TYPES[extname(pathname)] ?? 'text/html').end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  const origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return {
    /** `isRelayReal`: its sessions come from the paired relay. */
    async open(page: Page, name: PageName, isRelayReal = false) {
      await page.goto(`${origin}/?page=${name}${isRelayReal ? '&relay' : ''}`);
      const standIn = await page.evaluateHandle((): StandIn => Reflect.get(globalThis, 'standIn'));
      return {
        standIn,
        show: (state: WorkerState) => standIn.evaluate((played, next) => played.show(next), state),
        commands: () => standIn.evaluate(({ commands }) => [...commands]),
      };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
