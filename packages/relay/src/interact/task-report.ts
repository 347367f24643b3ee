import type { TaskRecord } from '@drawbridge/ledger';
import type { ChatMessage } from '@drawbridge/protocol';
import { timeText } from '../core/frames.ts';
import type { ReportFormat } from './session-bodies.ts';

export interface ReportFile {
  readonly type: string;
  readonly name: string;
  readonly text: string;
}

/** INT-316: the actions of a task and its end, as a file. */
export function taskReport(
  task: TaskRecord,
  messages: readonly ChatMessage[],
  format: ReportFormat,
  now: number,
): ReportFile {
  const own = messages.filter(({ messageId }) => messageId.startsWith(`${task.task_id}_`));
  const steps = own.filter(({ actionString }) => actionString !== undefined && !isEnd(actionString));
  const end = own.findLast(({ actionString }) => actionString !== undefined && isEnd(actionString));
  const { settled_at, created_at } = task;
  const report = {
    metadata: {
      taskId: task.task_id,
      sessionId: task.session_id,
      generatedAt: timeText(now),
      format,
    },
    task: {
      query: String(task.body['prompt'] ?? ''),
      status: task.state,
      taskType: String(task.body['taskType'] ?? 'web_only'),
      startedAt: timeText(created_at),
      ...(settled_at !== null && { completedAt: timeText(settled_at) }),
      ...(end && { result: end.content }),
    },
    actionHistory: steps.map(({ actionString = '', status = 'pending', content, timestamp }, stepIndex) => ({
      stepIndex,
      action: actionString,
      status,
      thought: content,
      timestamp,
    })),
    summary: {
      totalSteps: steps.length,
      successfulSteps: steps.filter(({ status }) => status === 'success').length,
      duration: durationText((settled_at ?? now) - created_at),
    },
  };
  const { type, ending, write } = FILES[format];
  const name = `task-report-${timeText(now).replaceAll(/[:.]/g, '-')}.${ending}`;
  return { type, name, text: write(report) };
}

type Report = {
  readonly task: Readonly<Record<string, string>>;
  readonly actionHistory: readonly {
    readonly stepIndex: number;
    readonly action: string;
    readonly status: string;
    readonly thought: string;
    readonly timestamp: string;
  }[];
  readonly summary: { readonly totalSteps: number; readonly duration: string };
};

const FILES = {
  json: {
    type: 'application/json',
    ending: 'json',
    write: (report: Report) => JSON.stringify(report, null, 2),
  },
  csv: { type: 'text/csv; charset=utf-8', ending: 'csv', write: csvOf },
  markdown: { type: 'text/markdown; charset=utf-8', ending: 'md', write: markdownOf },
} as const;

function csvOf({ actionHistory }: Report): string {
  const rows = actionHistory.map(({ stepIndex, action, status, thought, timestamp }) => [
    String(stepIndex + 1),
    action,
    status,
    thought,
    timestamp,
  ]);
  const head = ['Step', 'Action', 'Status', 'Thought', 'Timestamp'];
  return [head, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** A spreadsheet would run a cell that starts with one of these: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@\t\r]/;

const csvCell = (text: string): string =>
  `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

function markdownOf({ task, actionHistory, summary }: Report): string {
  const rows = actionHistory.map(
    ({ stepIndex, action, status, thought }) =>
      `| ${stepIndex + 1} | ${cellOf(action)} | ${status} | ${cellOf(thought)} |`,
  );
  return [
    `# ${lineOf(task['query'] ?? '')}`,
    `Status: ${task['status']}. Steps: ${summary.totalSteps}. Duration: ${summary.duration}.`,
    ['| Step | Action | Status | Thought |', '|---|---|---|---|', ...rows].join('\n'),
    ...(task['result'] === undefined ? [] : [`## Result\n\n${task['result']}`]),
  ].join('\n\n');
}

const lineOf = (text: string): string => text.replaceAll(/\s+/g, ' ');
const cellOf = (text: string): string => lineOf(text).replaceAll(/[\\|]/g, '\\$&');

const isEnd = (action: string): boolean => /^(?:finish|fail)\(/.test(action);

function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}
