import { type ChatMessage, reasoningText, type TaskState } from '@drawbridge/protocol';
import { parseDetails } from '@drawbridge/ui/model';
import type { TabTask } from '../../wire.ts';

/** INT-168: thought, action and observation of one step. */
export interface Turn {
  readonly action?: string;
  readonly subject?: string;
  readonly thought?: string;
  readonly reasoning?: string;
  readonly status: 'running' | 'ok' | 'failed' | 'unknown';
  readonly error?: string;
  /** New toasts and page changes, one line each. */
  readonly seen: readonly string[];
}

export type ConversationRow =
  | {
      readonly kind: 'user' | 'agent' | 'note';
      readonly key: string;
      readonly text: string;
      readonly at: number;
    }
  | {
      readonly kind: 'turn';
      readonly key: string;
      readonly at: number;
      readonly turn: Turn;
      /** Belongs to the tab's last task, so its elements may still exist. */
      readonly isCurrent?: true;
    }
  | {
      readonly kind: 'result';
      readonly key: string;
      readonly at: number;
      readonly isDone: boolean;
      readonly text: string;
      readonly steps?: number;
      readonly ms?: number;
    };

export const isOver = (state: TaskState): boolean =>
  state === 'completed' || state === 'failed' || state === 'cancelled' || state === 'unknown';

const STATUSES = { success: 'ok', failure: 'failed', pending: 'running' } as const;

const errorText = (error: unknown): string | undefined => {
  if (typeof error === 'string') return error;
  const message = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : undefined;
  return typeof message === 'string' ? message : undefined;
};

function rowOf(message: ChatMessage): ConversationRow | undefined {
  const { messageId: key, role, content, actionString, status, metadata } = message;
  const at = Date.parse(message.timestamp);
  const details = parseDetails(metadata);
  if (role === 'user') return { kind: 'user', key, text: content, at };
  if (details?.kind === 'plan' || details?.kind === 'usage') return undefined;
  const ending = /^\s*(finish|fail)\s*\(/.exec(actionString ?? '')?.[1];
  if (ending !== undefined || details?.kind === 'task_result') {
    const isDone = details?.kind === 'task_result' ? details.status === 'completed' : ending === 'finish';
    return { kind: 'result', key, at, isDone, text: content };
  }
  const reasoning =
    (details?.kind === 'step' ? details.reasoning : reasoningText(metadata?.['reasoning'])) || undefined;
  if (details?.kind === 'step' || details?.kind === 'thought' || actionString !== undefined) {
    const step = details?.kind === 'step' ? details : undefined;
    const action = step?.action ?? actionString;
    const thought = step?.thought ?? (content === action ? undefined : content);
    const error = step?.error?.message ?? errorText(message.error);
    const turn: Turn = {
      status: step?.status ?? (status ? STATUSES[status] : action === undefined ? 'ok' : 'unknown'),
      seen: [...(step?.events ?? []), ...(step?.changes ?? [])],
      ...(action !== undefined && { action }),
      ...(step?.subject !== undefined && { subject: step.subject }),
      ...(thought !== undefined && { thought }),
      ...(reasoning !== undefined && { reasoning }),
      ...(error !== undefined && { error }),
    };
    return { kind: 'turn', key, at, turn };
  }
  return { kind: role === 'system' ? 'note' : 'agent', key, text: content, at };
}

/** Steps of the task, as seen by this browser. */
function turnsOf({ taskId, events }: TabTask): Extract<ConversationRow, { kind: 'turn' }>[] {
  const turns = new Map<number, Extract<ConversationRow, { kind: 'turn' }>>();
  for (const { event, step, thought: beside } of events) {
    if (step === undefined) continue;
    const thought = step.thought ?? beside;
    const turn: Turn = {
      action: step.action,
      status: step.status,
      seen: [...(step.events ?? []), ...(step.changes ?? [])],
      ...(step.subject !== undefined && { subject: step.subject }),
      ...(thought !== undefined && { thought }),
      ...(step.reasoning !== undefined && { reasoning: step.reasoning }),
      ...(step.error && { error: step.error.message }),
    };
    turns.set(step.index, {
      kind: 'turn',
      key: `${taskId} ${step.index}`,
      at: event.timestamp,
      turn,
      isCurrent: true,
    });
  }
  return [...turns.values()];
}

/** This browser knows a step's result first; the server's message has the reason. */
function merged(
  stored: ConversationRow[],
  live: readonly Extract<ConversationRow, { kind: 'turn' }>[],
): ConversationRow[] {
  const rows = [...stored];
  let from = 0;
  for (const row of live) {
    const at = rows.findIndex(
      (other, index) => index >= from && other.kind === 'turn' && other.turn.action === row.turn.action,
    );
    const known = rows[at];
    if (known?.kind !== 'turn') {
      rows.push(row);
      from = rows.length;
    } else {
      rows[at] = { ...known, isCurrent: true, turn: { ...known.turn, ...row.turn } };
      from = at + 1;
    }
  }
  return rows;
}

/** Merges the relay's messages with the running task. */
export function conversationRows(
  messages: readonly ChatMessage[],
  task: TabTask | undefined,
): readonly ConversationRow[] {
  const stored = messages.flatMap((message) => rowOf(message) ?? []);
  if (task === undefined) return stored;
  const { taskId, query, startedAt, endedAt, state, message = '' } = task;
  const live = turnsOf(task);
  const begun = stored.findLastIndex((row) => row.kind === 'user' && row.text === query);
  const before = begun < 0 ? stored : stored.slice(0, begun + 1);
  // A stored result is shown once, with this browser's facts.
  const after = begun < 0 ? [] : stored.slice(begun + 1);
  const open = isOver(state) ? after.filter(({ kind }) => kind !== 'result') : after;
  const asked: ConversationRow = { kind: 'user', key: `${taskId} query`, text: query, at: startedAt };
  const rows = [...before, ...(begun < 0 ? [asked] : []), ...merged(open, live)];
  if (state !== 'completed' && state !== 'failed') return rows;
  return [
    ...rows,
    {
      kind: 'result',
      key: `${taskId} result`,
      at: endedAt ?? startedAt,
      isDone: state === 'completed',
      text: message,
      steps: live.length,
      ...(endedAt !== undefined && { ms: endedAt - startedAt }),
    },
  ];
}
