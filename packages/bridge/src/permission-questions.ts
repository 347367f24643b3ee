import type {
  ActionError,
  Answer,
  Asker,
  GrantQuestion,
  GrantWithdrawn,
  Question,
} from '@drawbridge/protocol';
import type { Core } from './core.ts';
import { notAnnounced, notNamed } from './refusals.ts';
import { type RuntimeLink, understands } from './registry.ts';

/** A runtime's question without an answer. */
export interface OpenQuestion {
  readonly runtime_id: string;
  /** Owner of the call; undefined when the bridge does not know the call. */
  readonly owner: string | undefined;
  /** Notifies the asker. */
  readonly withdraw: () => void;
}

/** Accepts questions of a runtime about itself and about its own calls (BRG-163). */
export function receiveQuestion(core: Core, link: RuntimeLink, item: GrantQuestion): ActionError | undefined {
  const { runtime_id, question } = item;
  const entry = link.runtimes.get(runtime_id);
  if (entry === undefined) return notAnnounced(item);
  core.probes.received(entry);
  if (!understands(entry, 'questions')) return notNamed('questions', item);
  if (link.questions.has(question.question_id)) return undefined;

  const { asker } = link.peer;
  const { question_id, call_hash } = question;
  const call = core.pending.get(question.call_id);
  const calledElsewhere = (call?.entry.link ?? link) !== link;
  const owner = call?.caller.owner;
  const denyFor = (reason: string): undefined => {
    const denial = denialOf(call_hash, reason);
    core.sendTo(link, { type: 'grant_answer', question_id, ...denial });
  };
  if (calledElsewhere) return denyFor(NOT_ITS_CALL);
  if (asker === undefined) return denyFor(NOBODY_TO_ASK);
  if (link.questions.size >= core.limits.maxQuestionsPerConnection) return denyFor(TOO_MANY);
  if (owner !== undefined && openOf(core, owner) >= core.limits.maxQuestionsPerOwner) {
    return denyFor(TOO_MANY_OF_AGENT);
  }
  const { timeout_ms, ...asked } = question;
  const expires_at = core.clock.now() + Math.min(timeout_ms, core.limits.maxTimeoutMs);
  ask(core, link, asker, { ...asked, runtime_id, expires_at }, owner);
  return undefined;
}

/** Counted over all runtimes, so that an agent with many questions leaves room for others. */
function openOf({ runtimeLinks }: Core, owner: string): number {
  let count = 0;
  for (const { questions } of runtimeLinks) {
    for (const question of questions.values()) if (question.owner === owner) count += 1;
  }
  return count;
}

export function receiveWithdrawal(link: RuntimeLink, { question_id }: GrantWithdrawn): void {
  const question = link.questions.get(question_id);
  link.questions.delete(question_id);
  question?.withdraw();
}

/** The runtime left: nothing waits for the answers (BRG-165). */
export function withdrawQuestions({ questions }: RuntimeLink, left: string): void {
  for (const [question_id, { runtime_id, withdraw }] of [...questions]) {
    if (runtime_id !== left) continue;
    questions.delete(question_id);
    withdraw();
  }
}

function ask(
  core: Core,
  link: RuntimeLink,
  asker: Asker,
  question: Question,
  owner: string | undefined,
): void {
  const { question_id, runtime_id, call_hash } = question;
  const withdrawal = new AbortController();
  const open: OpenQuestion = { runtime_id, owner, withdraw: () => withdrawal.abort() };
  link.questions.set(question_id, open);
  const settle = (answer: Answer): void =>
    core.turns.take(() => {
      if (link.questions.get(question_id) !== open) return;
      link.questions.delete(question_id);
      core.sendTo(link, { type: 'grant_answer', question_id, ...answer });
    });
  const answering = new Promise<Answer>((resolve) => {
    resolve(asker.ask(question, withdrawal.signal));
  });
  answering.then(settle, (fault: unknown) => {
    core.turns.onError(fault);
    settle(denialOf(call_hash, ASKING_FAILED));
  });
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
const TOO_MANY_OF_AGENT =
  'Too many questions about calls of this agent wait for an answer (open_questions). Wait until people have answered some, then call again.';
const ASKING_FAILED = 'People could not be asked. Call again; the log of the bridge says why.';
