import { createInterface, type Interface } from 'node:readline';
import type { Clock } from '@drawbridge/base';
import { type Answer, type Asker, onAbort, type Question } from '@drawbridge/protocol';
import type { Terminal } from '../command.ts';
import { plainText } from './plain-text.ts';
import { choicesOf, questionLines } from './question-text.ts';

export interface TerminalAskerOptions {
  readonly timers?: Clock;
  /** Name of the person who answers. */
  readonly by?: string;
  /** Advice for the agent's person when there is no terminal. */
  readonly howToApprove?: string;
}

export interface TerminalAsker extends Asker {
  /** Denies open questions and releases the terminal. */
  readonly close: () => void;
}

/** Input within this time was typed before the question could be read. */
const READING_MS = 400;

/** A longer timer fires at once: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

const realTimers: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

type Verdict =
  | { readonly decision: 'once' }
  | { readonly decision: 'always' }
  | { readonly decision: 'deny'; readonly reason?: string };

interface OpenQuestion {
  readonly question: Question;
  /** False until a person could have read it. */
  ready: boolean;
  isShown: boolean;
  readonly settle: (verdict: Verdict, remark: string) => void;
  readonly releases: (() => void)[];
}

/**
 * Asks one question at a time in a terminal: y once, a always, Enter no. Where standard input belongs to a
 * protocol, as in `drawbridge mcp`, the terminal comes from `openTty`.
 */
export function createTerminalAsker(
  terminal: Terminal,
  {
    timers = realTimers,
    by = 'the person at the terminal',
    howToApprove = 'run drawbridge in a terminal and answer there',
  }: TerminalAskerOptions = {},
): TerminalAsker {
  const waiting: OpenQuestion[] = [];
  let reader: Interface | undefined;
  let over: string | undefined =
    terminal.stdin.isTTY === true ? undefined : `nobody can be asked here: ${howToApprove}`;

  const read = (): void => {
    reader ??= createInterface({ input: terminal.stdin, terminal: false })
      .on('line', (line) => answered(line))
      .on('close', () => end(`the terminal is closed: ${howToApprove}`));
    reader.resume();
  };

  const end = (reason: string): void => {
    over ??= reason;
    for (const { settle } of [...waiting]) settle({ decision: 'deny', reason: over }, '');
  };

  const showNext = (): void => {
    const [next] = waiting;
    if (next === undefined || next.isShown) return;
    next.isShown = true;
    for (const line of questionLines(next.question, terminal)) terminal.print(line);
    next.releases.push(
      timers.after(READING_MS, () => {
        next.ready = true;
      }),
    );
    read();
  };

  const answered = (line: string): void => {
    const [open] = waiting;
    if (open === undefined) return;
    const { question, settle } = open;
    const verdict = open.ready ? verdictOf(line, question) : undefined;
    if (verdict !== undefined) settle(verdict, REMARKS[verdict.decision]);
    else {
      const why = open.ready ? 'Type one letter.' : 'You typed that before this question.';
      terminal.print(`${why} ${choicesOf(question)}`);
    }
  };

  return {
    ask(question, withdrawn) {
      const { call_hash } = question;
      const refusal = (reason: string): Answer => ({ decision: 'deny', call_hash, by: 'nobody', reason });
      if (question.kind === 'handover') {
        terminal.print(
          `The page at ${plainText(question.origin, 200)} needs you: ${plainText(question.sentence, 400)}`,
        );
        return Promise.resolve({ decision: 'once', call_hash, by: 'nobody' });
      }
      if (over !== undefined) return Promise.resolve(refusal(over));
      if (withdrawn.aborted) return Promise.resolve(refusal(WITHDRAWN));
      return new Promise((resolve) => {
        const open: OpenQuestion = {
          question,
          ready: false,
          isShown: false,
          releases: [],
          settle(verdict, remark) {
            const index = waiting.indexOf(open);
            if (index === -1) return;
            waiting.splice(index, 1);
            for (const release of open.releases) release();
            if (open.isShown && remark !== '') terminal.print(remark);
            const byNobody = verdict.decision === 'deny' && verdict.reason !== undefined;
            resolve({ ...verdict, call_hash, by: byNobody ? 'nobody' : by });
            if (waiting.length === 0 && over === undefined) reader?.pause();
            showNext();
          },
        };
        waiting.push(open);
        const wait = Math.min(Math.max(question.expires_at - timers.now(), 0), LONGEST_WAIT_MS);
        open.releases.push(
          timers.after(wait, () =>
            open.settle({ decision: 'deny', reason: LATE }, 'No answer in time, so it was refused.'),
          ),
          onAbort(withdrawn, () =>
            open.settle({ decision: 'deny', reason: WITHDRAWN }, 'The call has ended. You need not answer.'),
          ),
        );
        showNext();
      });
    },
    close() {
      end('Drawbridge is stopping');
      reader?.close();
    },
  };
}

const LATE = 'nobody answered in time';
const WITHDRAWN = 'the call was over before anybody answered';

const REMARKS = {
  once: 'Allowed once.',
  always: 'Always allowed here.',
  deny: 'Refused.',
} as const;

/** Undefined for invalid input. Irreversible actions are asked about each time. */
function verdictOf(line: string, { effect }: Question): Verdict | undefined {
  const word = line.trim().toLowerCase();
  if (word === 'y' || word === 'yes') return { decision: 'once' };
  if (word === '' || word === 'n' || word === 'no') return { decision: 'deny' };
  const isAlways = word === 'a' || word === 'always';
  return isAlways && effect !== 'irreversible' ? { decision: 'always' } : undefined;
}
