import type { Activity, Session } from '@drawbridge/protocol';
import { stepActionOf } from '@drawbridge/protocol/sentences';
import {
  agentName,
  isPersons,
  isShown,
  readPrompt,
  sessionLocation,
  sessionName,
  type Words,
} from '@drawbridge/ui/model';
import { isAway, isOver, isTask, isWorking } from './activity.ts';
import type { AppState } from './app-state.ts';
import { isBrowserCall, withoutBrowserCalls } from './browser-calls.ts';
import type { AskedPrompt, Conversation } from './conversation.ts';
import type { Preferences } from './preferences.ts';

/** `task`: listed under Tasks. */
export type Group = 'needs' | 'working' | 'quiet' | 'archived' | 'task';

export interface Row {
  readonly session: Session;
  readonly session_id: string;
  readonly name: string;
  readonly location: string;
  readonly agent: string;
  readonly group: Group;
  /** The open question, or the last message. */
  readonly line: string;
  /** The page of the open question, and when it runs out. */
  readonly asked: { readonly page?: string; readonly expires_at?: string } | undefined;
  readonly at: number;
  readonly unread: number;
  readonly waits: number;
  readonly isPinned: boolean;
  readonly isAway: boolean;
  readonly activity: Activity | undefined;
}

/** Sorts waiting sessions first, then working ones; in each, pinned ones, then the latest. */
export function sessionRows(
  { sessions, talks }: AppState,
  preferences: Preferences,
  words: Words,
): readonly Row[] {
  const order: readonly Group[] = ['needs', 'working', 'quiet', 'archived', 'task'];
  return [...sessions.values()]
    .map((session) => rowOf(session, talks.get(session.session_id), preferences, words))
    .toSorted(
      (a, b) =>
        order.indexOf(a.group) - order.indexOf(b.group) ||
        Number(b.isPinned) - Number(a.isPinned) ||
        // Working sessions change all the time and would swap places.
        (a.group === 'working' ? 0 : b.at - a.at) ||
        a.name.localeCompare(b.name) ||
        a.session_id.localeCompare(b.session_id),
    );
}

/** The rows as they are now, in the order and groups of earlier ones, so that none moves under a pointer. */
export function inOrderOf(earlier: readonly Row[], rows: readonly Row[]): readonly Row[] {
  const now = new Map(rows.map((row) => [row.session_id, row]));
  const kept = earlier.flatMap(({ session_id, group }) => {
    const row = now.get(session_id);
    // A hidden one appears as soon as it needs a person.
    if (row === undefined || (HIDDEN.has(group) && row.group !== group)) return [];
    now.delete(session_id);
    return [{ ...row, group }];
  });
  return [...kept, ...now.values()];
}

const HIDDEN: ReadonlySet<Group> = new Set(['archived', 'task']);

function rowOf(
  session: Session,
  conversation: Conversation | undefined,
  preferences: Preferences,
  words: Words,
): Row {
  const { session_id, activity } = session;
  const last = conversation && withoutBrowserCalls(conversation.entries.slice(-LATEST)).findLast(isShown);
  const prompt = conversation?.prompts.values().next().value;
  const question = conversation?.questions.values().next().value;
  const waits = (conversation?.prompts.size ?? 0) + (conversation?.questions.size ?? 0);
  const said = last === undefined ? '' : lineOf(last, words);
  const changed = Math.max(Date.parse(activity?.updated_at ?? ''), 0) || 0;
  const asked = Date.parse(prompt?.detected_at ?? '') || 0;
  const name = preferences.names[session_id] ?? sessionName(session);
  return {
    session,
    session_id,
    name,
    location: sessionLocation(session),
    agent: agentName(session),
    group: groupOf(session, waits, preferences.archived.includes(session_id)),
    // A browser's question is put into words from all its lines.
    asked: prompt && askedOf(prompt, words),
    line: prompt?.prompt_text ?? firstLine(question?.text ?? said),
    at: Math.max(last?.at ?? 0, changed, asked) || Date.parse(session.last_seen_at ?? '') || 0,
    unread: unreadIn(conversation, preferences.read[session_id]),
    waits,
    isPinned: preferences.pinned.includes(session_id),
    isAway: isAway(session) && !isOver(session),
    activity: activity && inWords(activity, words),
  };
}

/** An agent names a browser call by its own word for the tool. */
const inWords = (activity: Activity, words: Words): Activity =>
  isBrowserCall(activity.label ?? '') ? { ...activity, label: words.browser.inUse } : activity;

function askedOf({ prompt_text, expires_at }: AskedPrompt, words: Words): Row['asked'] {
  const { page, frameOn, origin } = readPrompt(prompt_text, words) ?? {};
  const shown = frameOn ?? page ?? origin;
  return { ...(shown !== undefined && { page: shown }), ...(expires_at !== undefined && { expires_at }) };
}

/** Enough to find one that is shown. */
const LATEST = 20;

function groupOf(session: Session, waits: number, isArchived: boolean): Group {
  if (waits > 0 || session.activity?.kind === 'waiting_for_user') return 'needs';
  if (isTask(session)) return 'task';
  if (isArchived) return 'archived';
  return isWorking(session.activity) && !isAway(session) ? 'working' : 'quiet';
}

/** Markdown marks, removed for the plain list. */
const MARKS = /^#+\s+|```\w*|[`*]+/gm;

export const withoutMarks = (text: string): string => text.replaceAll(MARKS, '');

function lineOf(entry: Conversation['entries'][number], words: Words): string {
  if (entry.kind === 'settled') return entry.text;
  const { details, content, role } = entry;
  if (details?.kind === 'tool_call') return details.title || content;
  // The relay writes a sentence for each call of an agent.
  if (details?.kind === 'step' && role === 'system') return words.talk.relayed(content);
  if (details?.kind === 'step') return stepActionOf(details.action, details.subject, words.deed);
  return withoutMarks(role === 'system' ? words.talk.relayed(content) : content);
}

const firstLine = (text: string): string => text.split('\n', 1)[0]?.trim() ?? '';

/** Messages after the last seen one; none for a conversation that was never opened. */
export function unreadIn(conversation: Conversation | undefined, lastRead: string | undefined): number {
  if (conversation === undefined || lastRead === undefined) return 0;
  const from = conversation.entries.findLastIndex(({ id }) => id === lastRead);
  const later = conversation.entries.slice(from + 1);
  return later.filter((entry) => isShown(entry) && !isPersons(entry) && !isFolded(entry)).length;
}

/** Steps of an answer do not count as unread. */
const isFolded = (entry: Conversation['entries'][number]): boolean =>
  entry.kind === 'message' && entry.details !== undefined && entry.details.kind !== 'task_result';

export const matches = (row: Row, query: string): boolean => {
  const text = `${row.name} ${row.location} ${row.agent} ${row.session.agent_type} ${row.line}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
