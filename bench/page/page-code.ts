import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { Tab } from './chromium.ts';

/** What our code puts on a page: everything on, as a host would have it. */
export const KIT = 'drawbridgeBench';

let bundling: Promise<string> | undefined;

/** Our page code in the page, with tagging and watching running. */
export async function startPageCode(tab: Tab): Promise<void> {
  bundling ??= bundle();
  await tab.evaluate(`${await bundling};
globalThis.${KIT} = (() => {
  const registry = drawbridgePage.createElementRegistry();
  const tagger = drawbridgePage.createTagger({ document, registry });
  const watch = drawbridgePage.createWatch({ document });
  const perception = drawbridgePage.createPerception({ document, registry });
  return { registry, tagger, watch, perception };
})(); true`);
}

async function bundle(): Promise<string> {
  const build = await rolldown({
    input: join(import.meta.dirname, '../../packages/page/src/index.ts'),
    platform: 'browser',
    tsconfig: false,
  });
  const { output } = await build.generate({ format: 'iife', name: 'drawbridgePage' });
  await build.close();
  return output[0].code;
}
