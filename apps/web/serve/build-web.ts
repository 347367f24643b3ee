import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';

const SHELL = ['/', '/theme.js', '/icon.svg', '/manifest.webmanifest'];

/** Passes the shell's file list to the service worker. */
function shellList(outDir: string, version: string): Plugin {
  const files: string[] = [];
  return {
    name: 'shell-list',
    generateBundle(_, bundle) {
      files.push(...Object.keys(bundle).filter((name) => name.startsWith('assets/')));
    },
    async closeBundle() {
      const path = join(outDir, 'sw.js');
      const list = [...SHELL, ...files.map((name) => `/${name}`)];
      const text = await readFile(path, 'utf8');
      await writeFile(
        path,
        text.replace('__VERSION__', version).replace("['__FILES__']", JSON.stringify(list)),
      );
    },
  };
}

/** Builds the app into static files. */
export async function buildWeb(root: string, outDir: string, version: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), tailwind(), shellList(outDir, version)],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // `script-src 'self'` forbids inline assets.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        treeshake: {
          // Our modules have no side effects on import, so unused ones are dropped.
          moduleSideEffects: [
            { test: /\.css$/, sideEffects: true },
            { test: /[\\/]packages[\\/](protocol|link|ui)[\\/]/, sideEffects: false },
          ],
        },
      },
    },
  });
}
