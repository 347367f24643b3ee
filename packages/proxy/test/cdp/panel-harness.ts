import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import {
  launchChromium,
  type PanelName,
  type PanelTwins,
  startPanelTwins,
  type TwinOptions,
} from '@drawbridge/testbed';
import { afterAll, beforeAll } from 'vitest';
import { createPanelAdapter, type PanelAdapterOptions } from '../../src/cdp/panel-adapter.ts';

type Chromium = Awaited<ReturnType<typeof launchChromium>>;

export const mapOf = (panel: PanelName): string =>
  join(import.meta.dirname, '../../../../maps/agents', panel, 'actions.json');

/** A Chromium with a debugging port, like an editor's, and the panels' twins. */
export function setUpPanels() {
  let chromium: Chromium | undefined;
  let twins: PanelTwins | undefined;
  let endpoint = '';
  const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
  beforeAll(async () => {
    [chromium, twins] = await Promise.all([
      launchChromium({ args: ['--remote-debugging-port=0'] }),
      startPanelTwins(),
    ]);
    const [port = ''] = (await readFile(join(chromium.userDataDir, 'DevToolsActivePort'), 'utf8')).split(
      '\n',
    );
    endpoint = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await chromium?.close();
    await Promise.all([twins?.close(), evaluator.close()]);
  });
  const running = () => {
    if (chromium === undefined || twins === undefined) throw new Error('Use it inside a test.');
    return { chromium, twins, endpoint };
  };
  let ids = 0;
  const newId = (): string => {
    ids += 1;
    return `id_${ids}`;
  };
  return {
    running,
    async open(panel: PanelName, options: TwinOptions & { readonly models?: string } = {}) {
      const page = await running().chromium.context.newPage();
      await page.goto(running().twins.webview(panel, options));
      return page;
    },
    adapter: (panel: PanelName, options: Partial<PanelAdapterOptions> = {}) =>
      createPanelAdapter({
        ...systemClock,
        newId,
        evaluator,
        map: mapOf(panel),
        endpoints: [endpoint],
        workspaces: ['/work/garden'],
        ...options,
      }),
    log: (id: string) => running().twins.log(id),
  };
}
