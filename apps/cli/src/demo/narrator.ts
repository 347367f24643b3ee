import { setTimeout as passed } from 'node:timers/promises';
import type { Terminal } from '../command.ts';
import { type Paint, paintFor, widthOf, wrap } from '../map/paint.ts';

/** Mark of a line: a heading, something done, something that waits for you, or a remark. */
export type Mark = 'act' | 'done' | 'wait' | 'note';

export interface Narrator {
  /** One event for programs, as a sentence for people. */
  readonly print: (event: string, facts: object, mark: Mark, sentence: string) => void;
  /** For people only. */
  readonly show: (lines: readonly string[]) => void;
  /** Reading time. Throws when the demo is stopped. */
  readonly pause: (ms: number) => Promise<void>;
  /** Time for a person to act, which `--fast` keeps. */
  readonly wait: (ms: number) => Promise<void>;
}

export interface NarratorOptions {
  readonly json: boolean;
  readonly fast: boolean;
}

export function createNarrator(
  { json, fast }: NarratorOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Narrator {
  const paint = paintFor(terminal);
  const width = widthOf(terminal);
  const wait = (ms: number): Promise<void> => passed(ms, undefined, { signal });
  return {
    print(event, facts, mark, sentence) {
      if (json) return terminal.print(JSON.stringify({ event, ...facts }));
      for (const line of sentenceLines(mark, sentence, width, paint)) terminal.print(line);
    },
    show(lines) {
      if (!json) for (const line of lines) terminal.print(line);
    },
    pause: (ms) => (fast ? Promise.resolve() : wait(ms)),
    wait,
  };
}

const SIGNS = { done: '✓', wait: '?', note: ' ' } as const;

function sentenceLines(mark: Mark, sentence: string, width: number, paint: Paint): readonly string[] {
  if (mark === 'act') return ['', ...wrap(sentence, width)];
  const [first = '', ...rest] = wrap(sentence, width, '  ');
  const sign = { done: paint.good, wait: paint.warn, note: paint.quiet }[mark](SIGNS[mark]);
  return [`${sign} ${first.trimStart()}`, ...rest];
}
