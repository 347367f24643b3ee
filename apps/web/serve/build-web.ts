import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';

const SHELL = ['/', '/theme.js', '/icon.svg', '/manifest.webmanifest'];

/** Tells the service worker which files the shell is made of. */
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

/** The whole app as files that any server can serve. */
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
      // `script-src 'self'`: nothing may stand in the page itself.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        treeshake: {
          // Ours do nothing when they are loaded: what a screen does not use is not in it.
          moduleSideEffects: [
            { test: /\.css$/, sideEffects: true },
            { test: /[\\/]packages[\\/](protocol|link|ui)[\\/]/, sideEffects: false },
          ],
        },
      },
    },
  });
}
