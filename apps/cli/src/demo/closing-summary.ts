import { text } from 'node:stream/consumers';
import { requestOf } from '@drawbridge/protocol/http-call';
import { plainText } from '../ask/plain-text.ts';
import type { Terminal } from '../command.ts';
import { counted } from '../map/paint.ts';
import { suggestionLines } from '../relay/suggestions.ts';
import type { DemoSetup } from './demo-setup.ts';
import type { Narrator } from './narrator.ts';

/** Prints the ledger's events per session, as in `drawbridge sessions --export`. */
export async function printLedgerSummary({ owner }: DemoSetup, { print }: Narrator): Promise<void> {
  print('act', { act: 'ledger' }, 'act', 'Everything is stored, in order:');
  const { sessions } = await owner.call('GET /api/sessions');
  for (const { session_id, name } of sessions.toSorted((a, b) => a.created_at - b.created_at)) {
    const { path } = requestOf('GET /api/sessions/{session_id}/export', { session_id });
    const [, ...lines] = (await text(await owner.open(path))).trim().split('\n');
    const events = lines.slice(0, -1).map((line): object => JSON.parse(line));
    const words = `${plainText(name, 50)}: ${counted(events.length, 'event')}`;
    print('ledger', { session_id, name, events }, 'done', words);
  }
}

export const whereToRead = (folder: string): readonly string[] => [
  'To read one of them:',
  `  drawbridge sessions --export "Web shop" --data ${folder}`,
];

const NEXT = [
  ['drawbridge up', 'a relay and a browser that stay'],
  ['drawbridge connect claude', 'your agent gets that browser'],
  ['drawbridge proxy', 'steer your own coding agents'],
] as const;

export const whatNext = (terminal: Terminal): readonly string[] => [
  '',
  'Next, with your own:',
  ...suggestionLines(NEXT, terminal),
];
