import type { MessageDetails } from '@drawbridge/protocol';
import { stepActionOf, valueLines } from '@drawbridge/protocol/sentences';
import { plainText } from '../ask/plain-text.ts';
import type { Terminal } from '../command.ts';
import { counted, paintFor, widthOf, wrap } from '../map/paint.ts';
import { ago } from '../relay/device-words.ts';
import { spentOf } from './spent-words.ts';
import type { TaskEventView, TaskView } from './task-view.ts';

type DetailsOf<Kind extends MessageDetails['kind']> = Extract<MessageDetails, { kind: Kind }>;
type PlanStep = DetailsOf<'plan'>['steps'][number];

const MAX_TEXT = 400;
const MAX_PROMPT = 60;
const NOW_AT = '    now at ';

/** Text of pages, models and people is foreign. */
const plain = (text: string, most = MAX_TEXT): string => plainText(text, most);

/** Lines for each event. Remembers the plan, to print only its changes. */
export function createTaskWords(terminal: Terminal): (event: TaskEventView) => readonly string[] {
  const paint = paintFor(terminal);
  const width = widthOf(terminal);
  let known: readonly PlanStep[] = [];
  let lastNote = '';

  const planLines = ({ steps }: DetailsOf<'plan'>): readonly string[] => {
    const isNew =
      steps.length !== known.length || steps.some(({ text }, index) => text !== known[index]?.text);
    const before = known;
    known = steps;
    const lines = steps.map(({ text }, index) => hanging(`${index + 1}`, plain(text), width));
    if (isNew) return [paint.quiet('Plan'), ...lines.flat()];
    return steps.flatMap(({ status }, index) => {
      const isNews = status === 'completed' && before[index]?.status !== 'completed';
      return isNews ? [paint.good(`✓ ${lines[index]?.join('\n').trimStart()}`)] : [];
    });
  };

  const stepLines = (step: DetailsOf<'step'>): readonly string[] => {
    if (step.status === 'running') return [];
    const sign = step.status === 'ok' ? paint.good('✓') : paint.bad(step.status === 'failed' ? '✗' : '?');
    const taskAction = wrap(plain(stepActionOf(step.action, step.subject?.slice(0, 80))), width, '  ');
    const moved = step.after !== undefined && step.after.url !== step.before?.url;
    return [
      `${sign} ${taskAction.join('\n').trimStart()}`,
      ...(step.error ? wrap(plain(step.error.message), width, '    ') : []),
      ...(moved ? [paint.quiet(`${NOW_AT}${plain(step.after?.url ?? '', width - NOW_AT.length)}`)] : []),
    ];
  };

  return ({ details, text, role }) => {
    if (details?.kind === 'plan') return planLines(details);
    if (details?.kind === 'step') return stepLines(details);
    if (details?.kind === 'thought') return wrap(plain(text), width).map(paint.quiet);
    if (details !== undefined) return [];
    if (role === 'user' || text === lastNote) return [];
    lastNote = text;
    return wrap(plain(text), width);
  };
}

const hanging = (sign: string, text: string, width: number): string[] =>
  wrap(text, width, '    ').map((line, index) => (index === 0 ? `  ${sign} ${line.trimStart()}` : line));

/** Text for the spinner. */
export function movingText({ details, text }: TaskEventView): string | undefined {
  if (details?.kind === 'step') {
    return details.status === 'running'
      ? `Step ${details.index + 1}: ${plain(stepActionOf(details.action, details.subject))}`
      : 'Looks and decides';
  }
  return details?.kind === 'thought' ? plain(text) : undefined;
}

export function endLines(task: TaskView, terminal: Terminal): readonly string[] {
  const paint = paintFor(terminal);
  const width = widthOf(terminal);
  const ms = (task.settled_at ?? 0) - (task.started_at ?? task.settled_at ?? 0);
  const figures = [...spentOf(task), `${Math.round(ms / 1_000)} s`].join(', ');
  if (task.state === 'completed') {
    const said = task.message === 'Done.' ? undefined : task.message;
    return [paint.good(`Done: ${figures}.`), ...resultLines(task.result ?? said)];
  }
  const word = task.state === 'unknown' ? 'Outcome unknown' : `The task ${wordOf(task.state)}`;
  const why = task.message;
  return [
    paint.bad(`${word} after ${figures}.`),
    ...(why === undefined ? [] : wrap(plain(why), width, '  ')),
    ...resultLines(task.result),
  ];
}

const wordOf = (state: string): string => (state === 'cancelled' ? 'was cancelled' : state);

/** A text result as it is, any other as lines. */
function resultLines(result: unknown): readonly string[] {
  if (result === undefined || result === null) return [];
  const lines = typeof result === 'string' ? result.split('\n') : valueLines(result);
  return lines.map(plainLine);
}

/** Keeps the indent, which `plainText` would take for a hiding gap. */
function plainLine(line: string): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  return indent + plain(line, 10_000);
}

export function listLines(tasks: readonly TaskView[], now: number): readonly string[] {
  const lines = tasks.map(
    (task) => `${plain(task.prompt, MAX_PROMPT)}\n  ${lifeOf(task, now)}\n  ${plain(task.task_id, 256)}`,
  );
  return [...lines, `${counted(tasks.length, 'task')}. For more: drawbridge task show ID`];
}

function lifeOf({ state, created_at, settled_at, steps }: TaskView, now: number): string {
  return [state, ago(now - (settled_at ?? created_at)), counted(steps, 'step')].join(' · ');
}

export function showLines(task: TaskView, terminal: Terminal, now: number): readonly string[] {
  const width = widthOf(terminal);
  const open = task.settled_at === null;
  return [
    ...wrap(plain(task.prompt), width),
    `  ${lifeOf(task, now)}`,
    ...(open ? wrap(`Used so far: ${spentOf(task).join(', ')}.`, width, '  ') : []),
    ...(open && task.note !== undefined ? wrap(plain(task.note), width, '  ') : []),
    ...(open && task.question !== undefined ? wrap(`It asks: ${plain(task.question)}`, width, '  ') : []),
  ];
}
