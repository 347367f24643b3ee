import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { StoryRelay } from './story-relay.ts';

const CHECKER = fileURLToPath(import.meta.resolve('@drawbridge/relay/test/crash/checker'));

interface Row {
  readonly session_id: string;
  readonly sequence: number;
  readonly type: string;
  readonly at: number;
  readonly message_id: string | null;
  readonly payload: {
    readonly message?: { readonly content: string; readonly role: string };
    readonly prompt_text?: string;
    readonly choice_id?: string;
    readonly answered_by?: string;
  };
}

interface Listed {
  readonly sessions: readonly { readonly session_id: string }[];
}

/** Rows of all sessions from `drawbridge sessions --export`, in time order. */
export async function readLedger(relay: StoryRelay): Promise<readonly Row[]> {
  const { sessions } = await relay.ask<Listed>('GET', '/api/sessions');
  const rows: Row[] = [];
  for (const { session_id } of sessions) {
    const lines = await relay.command('sessions', '--export', session_id, '--data', relay.data);
    rows.push(...lines.slice(1, -1).map((line): Row => ({ session_id, ...JSON.parse(line) })));
  }
  return rows.sort((a, b) => a.at - b.at);
}

/** Messages of a session, each at its first position with its last text. */
export function textsIn(rows: readonly Row[], session_id: string): readonly string[] {
  const texts = new Map<string, string>();
  for (const row of rows)
    if (row.session_id === session_id && row.type === 'message_event' && row.message_id !== null)
      texts.set(row.message_id, row.payload.message?.content ?? '');
  return [...texts.values()];
}

/** A row as one line. */
const told = ({ type, payload: { message, prompt_text, answered_by, choice_id } }: Row): string =>
  [type, message?.content, prompt_text?.split('\n')[0], answered_by, choice_id]
    .filter((word) => word !== undefined)
    .join(' ');

/** The chapters that occur, each after its predecessor. */
export function chaptersIn(rows: readonly Row[], chapters: readonly RegExp[]): readonly RegExp[] {
  const left = [...chapters];
  for (const line of rows.map(told)) if (left[0]?.test(line)) left.shift();
  return chapters.slice(0, chapters.length - left.length);
}

/** Prompts from browsers and their outcomes. */
export const asked = (rows: readonly Row[]): readonly string[] =>
  rows.filter(({ type }) => type.startsWith('permission_')).map(told);

interface Report {
  readonly accepted: number;
  readonly injected: number;
  readonly problems: readonly string[];
}

/** Runs the checker, which shares no code with the relay. */
export async function checkLedger(logs: string, { data }: StoryRelay): Promise<Report> {
  const ledger = join(data, 'ledger.db');
  const { stdout } = await promisify(execFile)(process.execPath, [CHECKER, logs, ledger]);
  return JSON.parse(stdout);
}
