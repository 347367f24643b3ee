import { isObject } from '@drawbridge/protocol/manifest';
import { listAt, numberAt, textAt, textsAt, valueAt } from '../loose-value.ts';
import { oneLine } from './fence.ts';
import { changeLines, editFrom, type NodeEdit } from './node-lines.ts';

/** An action and its effect: our text, and the page's. */
export interface ActionReport {
  readonly said: string;
  readonly lines: readonly string[];
  /** The new address after a navigation, which invalidates old ids. */
  readonly leftFor?: string;
  /** Ids of elements that it renamed, its own too: steps planned before must not use them. */
  readonly renamed: readonly string[];
  /** Why the following steps should not run: done without the intended effect. */
  readonly stops?: string;
}

/** The request: an effect that only repeats it is left out. */
export interface Asked {
  readonly id?: string;
  readonly value?: unknown;
}

/** The shortest form of a page action's answer (`ActionDone` of page code). */
export function reportOf(action: string, asked: Asked, done: unknown): ActionReport {
  const effect = valueAt(done, 'effect');
  const late = lateLines(done);
  const lines = [...listAt(done, 'saved').map(savedLine), ...effectLines(effect, asked)];
  const stops = stopReason(done);
  const reads = textAt(done, 'reads');
  const why = textAt(done, 'verification_message');
  if (stops !== undefined && reads !== undefined && reads !== asked.value)
    lines.push(`reads =${oneLine(reads)}`);
  if (stops !== undefined && why !== undefined && textsAt(effect, 'errors').length === 0)
    lines.push(`check: ${oneLine(why)}`);
  const on = textAt(done, 'on');
  if (on !== undefined) lines.unshift(`on ${oneLine(on)}`);
  if (late.length > 0) lines.unshift(...late, ...(lines.length > 0 ? ['by this step:'] : []));
  // A step may repeat itself: `Like 3` is `Like 4` now.
  const recounted = textsAt(effect, 'recounted').filter((id) => id === asked.id);
  return {
    said: `${action} ${outcomeWords(effect, stops !== undefined)}${positionWords(valueAt(done, 'position'))}${healedWords(done)}`,
    lines,
    renamed: listAt(effect, 'changed')
      .flatMap(editFrom)
      .flatMap(({ i, set }) => ((set.n ?? set.r) === undefined || recounted.includes(i) ? [] : i)),
    ...(hasLeft(effect) && { leftFor: textAt(effect, 'url', 'to') ?? '' }),
    ...(stops !== undefined && { stops }),
  };
}

/** Changes that came after the last answer, and were not caused by this call. */
export function lateLines(output: unknown): string[] {
  const { focus: _, background: __, ...late } = Object(valueAt(output, 'late'));
  const lines = effectLines(late);
  return lines.length === 0 ? [] : ['changed since the last answer:', ...lines];
}

/** `saved file_1a2b "bill.pdf" application/pdf 1200 bytes sha256 …`, also in a list. */
export function savedLine(file: unknown): string {
  const [id, name, type, sha256] = ['attachment_id', 'name', 'type', 'sha256'].map((key) =>
    textAt(file, key),
  );
  const about = [type, `${numberAt(file, 'bytes') ?? '?'} bytes`, `sha256 ${sha256 ?? '?'}`].filter(Boolean);
  return `saved ${id ?? ''} ${JSON.stringify(oneLine(name ?? ''))} ${about.join(' ')}`;
}

/** "No change seen" is a statement, and stops nothing. */
function stopReason(done: unknown): string | undefined {
  const effect = valueAt(done, 'effect');
  if (textsAt(effect, 'errors').length > 0) return 'the page reports an error';
  if (valueAt(done, 'achieved') === false) return 'the element is not as asked';
  return valueAt(done, 'verification_passed') === false && happened(effect)
    ? 'the outcome is another than expected'
    : undefined;
}

/** Nodes first, then other visible changes, then messages to a person. */
export function effectLines(effect: unknown, asked: Asked = {}): string[] {
  const to = textAt(effect, 'url', 'to');
  const isNew = hasLeft(effect);
  const download = textAt(effect, 'download');
  const added = listAt(effect, 'added');
  const names = added.flatMap((node) => ['n', 'in'].flatMap((field) => textAt(node, field) || []));
  const more = numberAt(effect, 'more');
  const notes = ['errors', 'successes', 'dialogs'].flatMap((key) => textsAt(effect, key));
  const isNote = (words: string) => notes.some((note) => words === `new: ${note}`);
  const seen = isNew
    ? []
    : textsAt(effect, 'seen').filter((words) => !isNote(words) && !repeats(words, names));
  const changed = listAt(effect, 'changed').flatMap(editFrom);
  const edits = [
    ...changed.flatMap(({ set }) => set.n || []),
    ...seen.flatMap((words) => words.split(' → ')[1] || []),
  ];
  return [
    ...(to === undefined || isNew ? [] : [`url ${oneLine(to)}`]),
    ...(download === undefined ? [] : [`download ${oneLine(download)}`]),
    ...(valueAt(effect, 'opens_tab') === true ? ['opened a tab'] : []),
    // A page that was left shows nothing.
    ...(isNew
      ? []
      : changeLines({
          added,
          removed: listAt(effect, 'removed').flatMap((node) => textAt(node, 'i') ?? []),
          changed: changed.filter((edit) => !isWhatWasAsked(edit, asked)),
        })),
    ...(more === undefined ? [] : [`… ${more} more: ${unlistedWords(effect)}`]),
    ...seen.map((words) => oneLine(words)),
    ...told('dialog', textsAt(effect, 'dialogs')),
    ...told('error', textsAt(effect, 'errors')),
    ...told('success', textsAt(effect, 'successes')),
    ...told(
      'says',
      // Drops messages about listed nodes, or about a box around one.
      textsAt(effect, 'messages').filter(
        (text) => ![...names, ...notes, ...seen, ...edits].some((told) => overlap(text, told)),
      ),
    ),
    ...focusLine(valueAt(effect, 'focus')),
    ...(valueAt(effect, 'scrolled') === true ? ['scrolled'] : []),
    ...told('by itself, as before', textsAt(effect, 'background')),
  ];
}

/** `12 new btn: Edit, Delete; 3 gone link: Home`. A snapshot has what is not gone. */
function unlistedWords(effect: unknown): string {
  const unlisted = textsAt(effect, 'unlisted').map((words) => oneLine(words));
  const isThere = unlisted.length === 0 || unlisted.some((words) => !/^\d+ gone /.test(words));
  return [...unlisted, ...(isThere ? ['a snapshot has them'] : [])].join('; ');
}

/** `new: ▸ Pump`, where a node Pump is listed as added. */
function repeats(words: string, names: readonly string[]): boolean {
  if (!words.startsWith('new: ')) return false;
  const left = names.reduce((text, name) => text.replace(name, ''), words.slice('new: '.length));
  return !/[\p{L}\p{N}]/u.test(left);
}

const overlap = (one: string, other: string): boolean => one.includes(other) || other.includes(one);

const told = (kind: string, texts: readonly string[]): string[] =>
  texts.map((text) => `${kind}: ${oneLine(text)}`);

function focusLine(focus: unknown): string[] {
  if (focus === null) return ['focus none'];
  return typeof focus === 'string' ? [`focus ${oneLine(focus, 40)}`] : [];
}

function isWhatWasAsked({ i, set, unset }: NodeEdit, { id, value }: Asked): boolean {
  return i === id && unset.length === 0 && Object.keys(set).join() === 'v' && set.v === value;
}

const hasLeft = (effect: unknown): boolean => textAt(effect, 'navigation') === 'document';

const happened = (effect: unknown): boolean => valueAt(effect, 'happened') === true;

function outcomeWords(effect: unknown, isStopped: boolean): string {
  if (isStopped) return 'done, but not as it should be';
  if (valueAt(effect, 'happened') === false) return evidenceWords(effect);
  if (hasLeft(effect)) return 'ok, new page';
  const settled = textAt(effect, 'settled') ?? '';
  return settled.startsWith('timeout: ') ? `ok, ${settled.slice('timeout: '.length)}` : 'ok';
}

/** The statement that nothing changed, with its evidence. */
function evidenceWords(effect: unknown): string {
  const settled = textAt(effect, 'settled') ?? '';
  const facts = [
    valueAt(effect, 'focus_only') === true ? 'focus only' : '',
    valueAt(effect, 'drawing') === undefined ? '' : 'drawing not observed',
    `watched ${numberAt(effect, 'watched_ms') ?? 0} ms`,
    valueAt(effect, 'timer') === true ? 'the page set a timer: more may come' : '',
    settled.startsWith('timeout: ') ? settled.slice('timeout: '.length) : '',
  ];
  return `no change seen (${facts.filter((fact) => fact !== '').join(', ')})`;
}

/** `, at 1200 of 3400 (35 %)`; across only where that moves. */
function positionWords(position: unknown): string {
  const [x = 0, y = 0, maxX = 0, maxY = 0] = ['x', 'y', 'max_x', 'max_y'].map((key) =>
    numberAt(position, key),
  );
  const share = (now: number, most: number) =>
    `${now} of ${most}${most === 0 ? '' : ` (${Math.round((Math.abs(now) / most) * 100)} %)`}`;
  if (!isObject(position) || (maxX === 0 && maxY === 0)) return '';
  return `, at ${share(y, maxY)}${maxX > 0 ? `, across ${share(x, maxX)}` : ''}`;
}

/** Page values among our text must not form a sentence. */
const PLAIN_ID = /^[\w.:-]{1,40}$/;

function healedWords(done: unknown): string {
  const to = textAt(done, 'healed', 'to');
  if (to === undefined || !PLAIN_ID.test(to)) return '';
  const confidence = numberAt(done, 'healed', 'confidence') ?? 0;
  return ` (that one was redrawn: it is ${to} now, ${Math.round(confidence * 100)} % sure)`;
}
