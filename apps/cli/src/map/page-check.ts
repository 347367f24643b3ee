import { resolve } from 'node:path';
import type { Manifest } from '@drawbridge/protocol/manifest';
import { driftReport, driftText } from '@drawbridge/runtime';
import { openMapFolder } from '@drawbridge/runtime/node';
import type { ExitCode, Terminal } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { listenForEnd } from '../live/ending.ts';
import type { BrowserOptions } from '../live/live-arguments.ts';
import { openBrowser } from '../live/live-browser.ts';

export interface PageCheckOptions extends BrowserOptions {
  readonly file: string;
  readonly url: string;
  readonly json?: boolean | undefined;
}

export async function checkPage(
  options: PageCheckOptions,
  map: Manifest,
  terminal: Terminal,
): Promise<ExitCode> {
  const { file, url } = options;
  await using closing = new AsyncDisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const maps = openMapFolder({ files: [resolve(file)] });
  closing.defer(maps.close);
  // With its imports, like a runtime.
  const { offer, problems } = await maps.mapFor(map.surface?.origin ?? url);
  for (const problem of problems) terminal.printError(`left out: ${problem}`);
  const browser = await openBrowser(options, await openDataFolder(options.data), terminal);
  closing.defer(() => browser.close());
  const [host] = browser.surfaces();
  if (host === undefined) throw new Error('The browser was closed before the page was looked at.');
  // Scripts may build the page after it has loaded.
  await host.callPage('untilStable', []);
  const report = await driftReport(offer.ready ? offer.map : map, host);
  terminal.print(options.json === true ? JSON.stringify({ file, ...report }) : driftText(report));
  return report.ok ? 0 : 1;
}
