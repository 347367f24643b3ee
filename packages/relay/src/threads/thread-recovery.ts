import type { Json, Ledger, SessionHead } from '@drawbridge/ledger';
import { isThreadPrompt } from '../approvals/prompt-asker.ts';
import { trustStored } from '../core/frames.ts';
import { type BrowserThread, STEP_MESSAGE, type StepDetails } from './browser-thread.ts';

interface Step {
  readonly message_id: string;
  readonly words: string;
  readonly details: StepDetails;
}

interface StoredStep {
  readonly message_id: string;
  readonly content: string;
  readonly metadata?: { readonly details?: StepDetails };
}

/** A step is settled within the events that follow it; an older one was. */
const LOOK_BACK = 500;

/** Steps without a result. */
export async function openSteps(
  ledger: Pick<Ledger, 'eventsAfter'>,
  { session_id, head }: Pick<SessionHead, 'session_id' | 'head'>,
): Promise<readonly Step[]> {
  const page = await ledger.eventsAfter(session_id, Math.max(0, head - LOOK_BACK), LOOK_BACK);
  const latest = new Map<string, Step>();
  for (const { type, payload } of page?.events ?? []) {
    const step = type === 'message_event' ? stepIn(payload['message']) : undefined;
    if (step !== undefined) latest.set(step.message_id, step);
  }
  return [...latest.values()].filter(({ details }) => details.status === 'running');
}

/** Settles steps under way and open questions of a relay that ended. */
export async function settleThread(
  ledger: Pick<Ledger, 'eventsAfter' | 'openPrompts'>,
  thread: Pick<BrowserThread, 'session_id' | 'isOwn' | 'withdraw' | 'interrupted'>,
  head: number,
): Promise<void> {
  const { session_id } = thread;
  for (const prompt of await ledger.openPrompts()) {
    // In an agent's own session every question is about the browser.
    const isOfThread = thread.isOwn || isThreadPrompt(prompt.prompt_id);
    if (prompt.session_id === session_id && isOfThread) thread.withdraw(prompt.prompt_id);
  }
  for (const { message_id, words, details } of await openSteps(ledger, { session_id, head }))
    thread.interrupted(message_id, words, details);
}

function stepIn(message: Json | undefined): Step | undefined {
  if (message === undefined) return undefined;
  const { message_id, content, metadata } = trustStored<StoredStep>(message);
  if (!message_id.startsWith(STEP_MESSAGE)) return undefined;
  const details = metadata?.details;
  return details && { message_id, words: content, details };
}
