import type { GeneratedFile } from './file.ts';
import { code, page, table } from './markdown.ts';

const GENERATED = '<!-- Generated from `LOG_EVENTS` of `packages/relay` by `npm run gen`. Do not edit. -->';

/** Imported late: the relay needs the generated checks, which this run may have to write first. */
const loadRelay = () => import('@drawbridge/relay');

export async function generateLogPage(): Promise<GeneratedFile> {
  const { LOG_EVENTS } = await loadRelay();
  return {
    path: 'docs/reference/log.md',
    text: page([
      GENERATED,
      '# What a relay logs',
      'One JSON object a line, with the time (`at`), the `event` and what belongs to it. `drawbridge up` writes them to `relay.log` in its data folder, a relay in your own program to its `log` option. Beyond 100 lines of one cause in ten seconds, only their number is logged, as `suppressed`. No token, no text that people wrote and no query is ever among them.',
      table(
        ['event', 'meaning'],
        Object.entries(LOG_EVENTS).map(([event, meaning]) => [code(event), meaning]),
      ),
    ]),
  };
}
