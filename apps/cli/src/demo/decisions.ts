import { createInterface } from 'node:readline';
import type { ChatEvent } from '@drawbridge/link/chat';
import { plainText } from '../ask/plain-text.ts';
import type { Terminal } from '../command.ts';
import type { Narrator } from './narrator.ts';
import type { Person } from './person.ts';

type Prompt = Extract<ChatEvent, { readonly type: 'permission_prompt' }>;

export interface Decision {
  readonly allowed: boolean;
  /** Nobody, after a timeout. */
  readonly by: string;
}

/** Waits for a decision in the web app or here. */
export type Decide = (prompt: Prompt, about: string) => Promise<Decision>;

export interface DecisionOptions {
  readonly auto: boolean;
  /** Delay before the terminal asks too. */
  readonly afterMs?: number;
  /** Tells a person where to decide. */
  readonly where?: string;
}

/** Gives people in the web app time to answer before the terminal asks. */
const WEB_APP_FIRST_MS = 20_000;
const READING_MS = 2_500;

export function createDecisions(
  person: Person,
  narrator: Narrator,
  terminal: Terminal,
  { auto, afterMs = WEB_APP_FIRST_MS, where = WEB_APP }: DecisionOptions,
): Decide {
  /** After one answer here, the terminal asks at once. */
  let patienceMs = afterMs;
  const answer = (prompt: Prompt, effect: 'allow' | 'deny'): void => {
    const { session_id, prompt_id, choices } = prompt;
    const { choice_id = '' } = choices.find((choice) => choice.effect === effect) ?? {};
    // Another answer may have come first: it counts, and arrives as an event.
    person.link
      .request({ type: 'permission_response', session_id, prompt_id, choice_id })
      .catch(() => undefined);
  };

  return async (prompt, about) => {
    const { session_id, prompt_id, prompt_text, choices } = prompt;
    const facts = { session_id, prompt_id, text: prompt_text };
    narrator.print('asked', facts, 'wait', `${about} ${auto ? AUTO : where}`);
    const isIt = (event: { readonly session_id: string; readonly prompt_id: string }): boolean =>
      event.session_id === session_id && event.prompt_id === prompt_id;
    const settled = Promise.race([
      person.event('permission_prompt_answered', isIt),
      person.event('permission_prompt_expired', isIt),
    ]);
    using asking = new DisposableStack();
    if (auto) {
      await narrator.pause(READING_MS);
      answer(prompt, 'allow');
    } else if (terminal.stdin.isTTY === true) {
      const later = setTimeout(() => {
        asking.defer(
          askHere(terminal, (yes) => {
            patienceMs = 0;
            answer(prompt, yes ? 'allow' : 'deny');
          }),
        );
      }, patienceMs);
      asking.defer(() => clearTimeout(later));
    }
    const end = await settled;
    const isAnswered = end.type === 'permission_prompt_answered';
    const chosen = isAnswered ? choices.find(({ choice_id }) => choice_id === end.choice_id) : undefined;
    const decision = {
      allowed: chosen?.effect === 'allow',
      by: isAnswered ? plainText(end.answered_by, 60) : 'nobody',
    };
    const words = isAnswered ? `${decision.allowed ? 'Allowed' : 'Denied'} by “${decision.by}”.` : TOO_LATE;
    narrator.print('answered', { session_id, prompt_id, ...decision }, 'done', words);
    return decision;
  };
}

const WEB_APP = 'Decide in the web app.';
const AUTO = '--auto allows it.';
const TOO_LATE = 'No answer in time, so it was denied.';

/** Asks y or n. Returns how to stop asking. */
function askHere({ stdin, printError }: Terminal, answered: (yes: boolean) => void): () => void {
  printError('  You can also type y or n:');
  const reader = createInterface({ input: stdin, terminal: false });
  reader.on('line', (line) => {
    const word = line.trim().toLowerCase();
    if (['y', 'yes', 'n', 'no'].includes(word)) answered(word.startsWith('y'));
    else printError('  Type y or n.');
  });
  return () => reader.close();
}
