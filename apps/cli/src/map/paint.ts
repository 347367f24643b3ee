import type { Terminal } from '../command.ts';

export interface Paint {
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly good: (text: string) => string;
  readonly quiet: (text: string) => string;
}

const coloured =
  (code: number) =>
  (text: string): string =>
    `\u001b[${code}m${text}\u001b[0m`;

const plain = (text: string): string => text;

export const paintFor = ({ colour }: Terminal): Paint =>
  colour === true
    ? { bad: coloured(31), warn: coloured(33), good: coloured(32), quiet: coloured(2) }
    : { bad: plain, warn: plain, good: plain, quiet: plain };

const NARROW = 60;

/** Wide terminals get wider lines, within a readable maximum. */
export const widthOf = ({ columns }: Terminal): number => Math.max(40, Math.min(columns ?? NARROW, 100));

/** Wraps at `width`; a longer word gets a separate line. */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + longer.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  return [...lines, indent + line];
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
