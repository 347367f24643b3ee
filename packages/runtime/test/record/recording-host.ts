import { join } from 'node:path';
import type { OpenPage } from '@drawbridge/testbed';
import { rolldown } from 'rolldown';
import type { HostEvent, SurfaceHost } from '../../src/host.ts';
import type {} from './recorder-entry.ts';

type Page = OpenPage['page'];

let bundling: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const input = join(import.meta.dirname, 'recorder-entry.ts');
  const build = await rolldown({ input, platform: 'browser', tsconfig: false });
  const { output } = await build.generate({ format: 'iife' });
  await build.close();
  return output[0].code;
}

/** A host over a test page that records in every later document of the page. */
export async function recordingHost(page: Page): Promise<SurfaceHost> {
  bundling ??= bundle();
  const code = await bundling;
  const listeners = new Set<(event: HostEvent) => void>();
  const emit = (event: HostEvent) => {
    for (const listener of listeners) listener(event);
  };
  const surface = () => ({ url: page.url(), title: '', active: true });
  await page.exposeBinding('recorderTold', (_, notice) => emit({ kind: 'notice', notice }));
  // A person acts later than a host learns of a document; Playwright does not.
  const script = `${code}; recorderCalls['record.start']();`;
  await page.addInitScript(`addEventListener('DOMContentLoaded', () => { ${script} }, { once: true });`);
  page.on('domcontentloaded', () => emit({ kind: 'ready', ...surface() }));
  return {
    kind: 'cdp',
    runtimeKey: 'test',
    surface,
    async callPage(name) {
      if (name === 'record.start') return await page.evaluate(() => recorderCalls['record.start']());
      if (name === 'record.stop') return await page.evaluate(() => recorderCalls['record.stop']());
      throw new Error(`The page has no ${name}.`);
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {},
  };
}
