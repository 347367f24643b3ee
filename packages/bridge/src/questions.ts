import type {
  ActionError,
  Answer,
  Asker,
  GrantQuestion,
  GrantWithdrawn,
  Question,
  Withdrawal,
} from '@drawbridge/protocol';
import type { Core } from './core.ts';
import { notAnnounced, notNamed } from './refusals.ts';
import { type RuntimeLink, understands } from './runtime-entry.ts';

/** What a runtime asked that has no answer yet. */
export interface OpenQuestion {
  readonly runtime_id: string;
  /** Tells whoever was asked. */
  readonly withdraw: () => void;
}

/** A runtime asks people: about itself, and about calls that are its own (BRG-163). */
export function hearQuestion(core: Core, link: RuntimeLink, item: GrantQuestion): ActionError | undefined {
  const { runtime_id, question } = item;
  const entry = link.runtimes.get(runtime_id);
  if (entry === undefined) return notAnnounced(item);
  core.probes.heard(entry);
  if (!understands(entry, 'questions')) return notNamed('questions', item);
  if (link.questions.has(question.question_id)) return undefined;

  const { asker } = link.peer;
  const { question_id, call_hash } = question;
  const calledElsewhere = (core.pending.get(question.call_id)?.entry.link ?? link) !== link;
  const denyFor = (reason: string): undefined => {
    const denial = denialOf(call_hash, reason);
    core.sendTo(link, { type: 'grant_answer', question_id, ...denial });
  };
  if (calledElsewhere) return denyFor(NOT_ITS_CALL);
  if (asker === undefined) return denyFor(NOBODY_TO_ASK);
  if (link.questions.size >= core.limits.maxQuestionsPerConnection) return denyFor(TOO_MANY);
  const { timeout_ms, ...asked } = question;
  const expires_at = core.clock.now() + Math.min(timeout_ms, core.limits.maxTimeoutMs);
  ask(core, link, asker, { ...asked, runtime_id, expires_at });
  return undefined;
}

export function hearWithdrawn(link: RuntimeLink, { question_id }: GrantWithdrawn): void {
  const question = link.questions.get(question_id);
  link.questions.delete(question_id);
  question?.withdraw();
}

/** Its runtime has left: nothing waits for the answers any more (BRG-165). */
export function withdrawQuestions({ questions }: RuntimeLink, left: string): void {
  for (const [question_id, { runtime_id, withdraw }] of [...questions]) {
    if (runtime_id !== left) continue;
    questions.delete(question_id);
    withdraw();
  }
}

function ask(core: Core, link: RuntimeLink, asker: Asker, question: Question): void {
  const { question_id, runtime_id, call_hash } = question;
  const { withdrawal, withdraw } = createWithdrawal(core);
  const open: OpenQuestion = { runtime_id, withdraw };
  link.questions.set(question_id, open);
  const settle = (answer: Answer): void =>
    core.turns.take(() => {
      if (link.questions.get(question_id) !== open) return;
      link.questions.delete(question_id);
      core.sendTo(link, { type: 'grant_answer', question_id, ...answer });
    });
  const answering = new Promise<Answer>((resolve) => {
    resolve(asker.ask(question, withdrawal));
  });
  answering.then(settle, (fault: unknown) => {
    core.turns.onFault(fault);
    settle(denialOf(call_hash, ASKING_FAILED));
  });
}

function createWithdrawal({ turns }: Core): { withdrawal: Withdrawal; withdraw: () => void } {
  const listeners = new Set<() => void>();
  let cancelled = false;
  return {
    withdrawal: {
      get cancelled() {
        return cancelled;
      },
      onCancel(listener) {
        if (cancelled) listener();
        else listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    withdraw() {
      cancelled = true;
      for (const listener of [...listeners]) turns.callOut(listener);
      listeners.clear();
    },
  };
}

const denialOf = (call_hash: string, reason: string): Answer => ({
  decision: 'deny',
  call_hash,
  by: 'nobody',
  reason,
});

const NOT_ITS_CALL = 'This call runs in another browser, which has to ask itself.';
const NOBODY_TO_ASK =
  'Nobody can be asked from here. Permit it where the browser runs, or connect the browser to a relay that people are paired with.';
const TOO_MANY = 'Too many questions wait for an answer. Answer those first, then call again.';
const ASKING_FAILED = 'People could not be asked. Call again; the log of the bridge says why.';
