import type { RuntimeView } from '@drawbridge/bridge';
import { type Answer, plainLine } from '@drawbridge/protocol';
import { LENDING } from '../approvals/question-prompt.ts';
import type { CoreClock } from '../core/ports.ts';
import { type BrowserThread, siteOf } from './browser-thread.ts';

/** An agent of a proxy, as its session names it. */
export interface Speaker {
  readonly session_id: string;
  readonly proxy_device_id: string;
  readonly label: string;
}

interface Options {
  readonly clock: CoreClock;
  readonly tabs: () => readonly RuntimeView[];
  /** A voice in the session, closed after the answer. */
  readonly open: (agent: Speaker) => Pick<BrowserThread, 'ask' | 'close'>;
}

interface Open {
  readonly answer: Promise<Answer>;
  readonly end: AbortController;
  waiting: number;
}

/** A proxy's request waits for it, and clients of HTTP wait five minutes for an answer. */
const PATIENCE_MS = 240_000;
const MAX_SITES = 5;
const MAX_LABEL = 80;

/** CHT-361: an agent that first wants the browser asks the person in its session. */
export function createLendingQuestions({ clock, tabs, open }: Options) {
  const questions = new Map<string, Open>();
  let count = 0;

  const begin = (agent: Speaker): Open => {
    const { session_id, label } = agent;
    const end = new AbortController();
    const voice = open(agent);
    const sites = [...new Set(tabs().map(siteOf))];
    const more = sites.length - MAX_SITES;
    const now = clock.now();
    count += 1;
    const question_id = `lend_${now}_${count}`;
    const answer = voice
      .ask(
        {
          ...{ question_id, runtime_id: '', call_id: question_id, call_hash: question_id },
          ...{ name: LENDING, effect: 'act', data: [], expires_at: now + PATIENCE_MS },
          origin: sites.slice(0, MAX_SITES).join(', ') + (more > 0 ? `, and ${more} more` : ''),
          sentence: `${plainLine(label, MAX_LABEL)} wants to use the browser.`,
        },
        end.signal,
      )
      .finally(() => {
        questions.delete(session_id);
        voice.close();
      });
    const question: Open = { answer, end, waiting: 0 };
    questions.set(session_id, question);
    return question;
  };

  return {
    /** Asks once for all calls that wait. A question is withdrawn when the last of them is over. */
    async ask(agent: Speaker, signal: AbortSignal): Promise<Answer> {
      const question = questions.get(agent.session_id) ?? begin(agent);
      question.waiting += 1;
      const left = (): void => {
        question.waiting -= 1;
        if (question.waiting === 0) question.end.abort();
      };
      signal.addEventListener('abort', left, { once: true });
      if (signal.aborted) left();
      try {
        return await question.answer;
      } finally {
        signal.removeEventListener('abort', left);
      }
    },
    withdraw: (session_id: string) => questions.get(session_id)?.end.abort(),
    close(): void {
      for (const { end } of questions.values()) end.abort();
    },
  };
}
