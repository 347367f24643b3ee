import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'wxt';
import { manifestOf, readMode } from './build/manifest.ts';
import { pageScript, sandboxFiles } from './build/scripts.ts';

export default defineConfig({
  srcDir: 'src',
  publicDir: 'public',
  targetBrowsers: ['chrome'],
  manifestVersion: 3,
  imports: false,
  manifest: ({ mode }) => manifestOf(readMode(mode)),
  vite: () => ({
    plugins: [react(), tailwind()],
    build: { target: 'chrome125', modulePreload: { polyfill: false }, reportCompressedSize: false },
  }),
  hooks: {
    'build:publicAssets': async (_, files) => {
      const made = { 'page.js': await pageScript(), ...(await sandboxFiles()) };
      for (const [relativeDest, contents] of Object.entries(made)) files.push({ relativeDest, contents });
    },
  },
});
