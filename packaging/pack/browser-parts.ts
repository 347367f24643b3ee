import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './places.ts';
import { modulesOf } from './program.ts';

const EXTENSION = 'apps/extension/src';

/** Entry points of the scripts that run in browsers. */
const ENTRIES: Readonly<Record<string, string>> = {
  web: 'apps/web/src/main.tsx',
  background: `${EXTENSION}/entrypoints/background.ts`,
  offscreen: `${EXTENSION}/entrypoints/offscreen/main.ts`,
  options: `${EXTENSION}/entrypoints/options/main.tsx`,
  sidepanel: `${EXTENSION}/entrypoints/sidepanel/main.tsx`,
  welcome: `${EXTENSION}/entrypoints/welcome/main.tsx`,
  page: `${EXTENSION}/page/index.ts`,
  sandbox: `${EXTENSION}/sandbox/index.ts`,
  surface: 'packages/page/src/calls/inject.ts',
  embed: 'packages/runtime/src/hosts/embed/index.ts',
  evaluator: 'packages/runtime/src/hosts/embed/evaluator-worker.ts',
  shop: 'apps/demo-shop/src/client/checkout.tsx',
};

const NO_STYLE = { code: 'export default "";', moduleType: 'js' } as const;

/** Modules of these scripts, for the bill of materials: other tools build them from the same sources. */
export async function browserModules(): Promise<readonly string[]> {
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(ROOT, path)])),
    cwd: ROOT,
    platform: 'browser',
    tsconfig: false,
    transform: { jsx: 'react-jsx', define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [{ name: 'no-styles', load: (id) => (id.endsWith('.css') ? NO_STYLE : undefined) }],
    onLog(level, log, pass) {
      if (level !== 'warn') pass(level, log);
    },
  });
  const made = await bundle.generate({ format: 'esm' });
  await bundle.close();
  return modulesOf(made);
}
