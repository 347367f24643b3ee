import { plainSentence, type Question, siteName } from '@drawbridge/protocol';
import type { Terminal } from '../command.ts';
import { paintFor, widthOf, wrap } from '../map/paint.ts';
import { plainText } from './plain-text.ts';

const MAX_SENTENCE_CHARS = 400;
const MAX_ORIGIN_CHARS = 200;
const MAX_DATA_CHARS = 160;
const MAX_DATA_LINES = 14;
const SINCE_ASKED = 'Changed while you were asked. Your yes was not used.';
const SINCE_ALLOWED = 'Changed since you last allowed it.';

/** Lines of a question. Foreign text is indented; ours is not. */
export function questionLines(question: Question, terminal: Terminal): string[] {
  const width = widthOf(terminal);
  const paint = paintFor(terminal);
  const part = (text: string, maxChars: number, indent: string) =>
    wrap(broken(plainText(text, maxChars), width - indent.length), width, indent);
  const { page, destination, amounts, prices, goods, sends, changed } = question;
  const listed = (title: string, lines: readonly string[] = []) =>
    lines.length === 0 ? [] : [title, ...lines.flatMap((line) => part(line, MAX_DATA_CHARS, '    '))];
  const data = question.data.slice(0, MAX_DATA_LINES);
  const unsaid = question.data.length - data.length;
  return [
    '',
    paint.warn('An agent asks for your permission:'),
    ...part(plainSentence(question.sentence), MAX_SENTENCE_CHARS, '  '),
    'Where:',
    ...part(siteName(question.origin), MAX_ORIGIN_CHARS, '  '),
    ...(page === undefined || page.origin === question.origin
      ? []
      : ['In a frame on:', ...part(`${page.title} · ${page.origin}`, MAX_ORIGIN_CHARS, '  ')]),
    ...(destination === undefined ? [] : ['Sends to:', ...part(destination, MAX_ORIGIN_CHARS, '  ')]),
    ...listed('Amount:', amounts),
    ...listed('Prices on the page:', prices),
    ...listed('Goods:', goods),
    ...listed('Sends:', sends),
    ...(changed === undefined ? [] : [paint.warn(changed.since === 'allowed' ? SINCE_ALLOWED : SINCE_ASKED)]),
    ...listed('Before:', changed?.before),
    ...listed('Now:', changed?.now),
    ...listed('With:', data),
    ...(unsaid > 0 ? [`and ${unsaid} more, not shown.`] : []),
    ...(question.effect === 'irreversible' ? [paint.bad('This can’t be undone.')] : []),
    choicesOf(question),
  ];
}

export const choicesOf = ({ effect, kind }: Question): string =>
  effect === 'irreversible' || kind === 'address'
    ? 'y = yes, this once   n = no (Enter)'
    : 'y = yes, this once   a = always here   n = no (Enter)';

/** Breaks overlong words, which would otherwise start lines at the edge, like ours. */
const broken = (text: string, width: number): string =>
  text.replace(new RegExp(`\\S{${width}}(?=\\S)`, 'g'), '$& ');
