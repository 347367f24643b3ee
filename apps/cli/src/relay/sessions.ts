import { requestOf } from '@drawbridge/protocol/http-call';
import { type Command, type Terminal, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import type { RunningRelay } from './local-relay.ts';
import {
  deletedLine,
  deleteQuestion,
  exportedLine,
  type ListedSession,
  oneSession,
  retentionLine,
  sessionLines,
} from './sessions-words.ts';

const OPTIONS = {
  export: { type: 'string', value: 'SESSION', help: 'its id, or the start of it, or its name' },
  out: { type: 'string', value: 'FILE', help: 'a new file; without it, the terminal' },
  delete: { type: 'string', value: 'SESSION', help: "can't be undone; its agent must not be connected" },
  yes: { type: 'boolean', help: 'delete without asking' },
  retention: {
    type: 'string',
    value: 'DAYS',
    help: 'older events are deleted within six hours; forever (the default) keeps everything',
  },
  data: { type: 'string', value: 'DIR', help: 'data folder (DRAWBRIDGE_HOME, or ~/.drawbridge)' },
  json: { type: 'boolean', help: 'one session per line' },
} as const satisfies Options;

export const sessions: Command = {
  name: 'sessions',
  summary: 'list, export or delete conversations',
  help: `drawbridge sessions
drawbridge sessions --export SESSION [--out FILE]
drawbridge sessions --delete SESSION [--yes]
drawbridge sessions --retention DAYS|forever

Lists the conversations in the relay. An export has one JSON
object per line: a header, each event, and at the end the
number of events and the hash of the last one.

${optionLines(OPTIONS)}

Example:
  drawbridge sessions --export Shopping --out shopping.jsonl`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    const { export: exported, out, delete: deleted, yes = false, retention, json = false } = values;
    if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
    if ([exported, deleted, retention].filter((option) => option !== undefined).length > 1)
      throw new UsageError('Give only one of --export, --delete and --retention.');
    if (out !== undefined && exported === undefined) throw new UsageError('--out needs --export.');
    if (yes && deleted === undefined) throw new UsageError('--yes needs --delete.');
    const retention_days = retention === undefined ? undefined : readDays(retention);
    const folder = await openDataFolder(values.data);
    const [{ openRunningRelay }, { writeExport }, { askYes }] = await Promise.all([
      import('./local-relay.ts'),
      import('./sessions-export.ts'),
      import('./sessions-question.ts'),
    ]);
    const relay = await openRunningRelay(folder.path);
    const say = (fact: object, line: string) => terminal.print(json ? JSON.stringify(fact) : line);

    if (retention_days !== undefined) {
      await relay.call('PUT /api/settings', { body: { retention_days } });
      say({ retention_days }, retentionLine(retention_days));
    } else if (exported !== undefined) {
      const { session_id, name } = oneSession(await listedSessions(relay), exported);
      const content = await relay.open(
        requestOf('GET /api/sessions/{session_id}/export', { session_id }).path,
      );
      const events = await writeExport(content, out, terminal.print);
      if (out !== undefined) say({ session_id, out, events }, exportedLine(name, out, events));
    } else if (deleted !== undefined) {
      const session = oneSession(await listedSessions(relay), deleted);
      const isSure = yes || (await askYes(deleteQuestion(session), terminal));
      if (!isSure) throw new Error('Nothing was deleted.');
      await relay.call('DELETE /api/sessions/{session_id}', { session_id: session.session_id });
      say({ session_id: session.session_id, deleted: true }, deletedLine(session));
    } else await list(relay, json, terminal);
    return 0;
  },
};

export const listedSessions = async (relay: RunningRelay): Promise<readonly ListedSession[]> =>
  (await relay.call('GET /api/sessions')).sessions;

async function list(relay: RunningRelay, json: boolean, terminal: Terminal): Promise<void> {
  const there = await listedSessions(relay);
  if (json) for (const session of there) terminal.print(JSON.stringify(session));
  if (json) return;
  const { retention_days } = await relay.call('GET /api/settings');
  for (const line of sessionLines(there, Date.now())) terminal.print(line);
  terminal.print(retentionLine(retention_days));
}

/** `null` for forever. */
function readDays(text: string): number | null {
  if (text === 'forever') return null;
  const days = Number(text);
  if (/^\d{1,5}$/.test(text) && days >= 1 && days <= 36_500) return days;
  throw new UsageError(`--retention takes days, from 1 to 36500, or forever, not "${text}".`);
}
