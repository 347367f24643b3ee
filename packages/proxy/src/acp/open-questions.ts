import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import type { Clock } from '@drawbridge/base';
import { type Observation, type QuestionAnswer, refusal } from '../adapter.ts';
import { type Asked, askedPrompt } from './permission.ts';
import { clip, type KnownCall } from './tool-call.ts';

interface Means extends Clock {
  readonly newId: () => string;
  readonly send: (observation: Observation) => void;
  /** Undefined for no limit. */
  readonly timeout_ms: number | undefined;
}

interface OpenPrompt extends Asked {
  readonly settle: (response: RequestPermissionResponse) => void;
}

interface OpenQuestion {
  readonly settle: (response: CreateElicitationResponse) => void;
  readonly text: string;
  readonly form: Record<string, unknown> | undefined;
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };
/**
 * The relay applies the default at the timeout; this grace covers prompts without a default or without a
 * relay.
 */
const GRACE_MS = 5_000;

/** Questions of an agent that wait for an answer. */
export class OpenQuestions {
  readonly #means: Means;
  readonly #prompts = new Map<string, OpenPrompt>();
  readonly #questions = new Map<string, OpenQuestion>();

  constructor(means: Means) {
    this.#means = means;
  }

  get isEmpty(): boolean {
    return this.#prompts.size === 0 && this.#questions.size === 0;
  }

  ask(
    request: RequestPermissionRequest,
    known: KnownCall | undefined,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    const { now, newId, after, send, timeout_ms } = this.#means;
    const detected_at = new Date(now()).toISOString();
    const asked = askedPrompt(request, known, { nonce: newId(), detected_at, timeout_ms });
    const { prompt_id } = asked.prompt;
    const { promise, resolve } = Promise.withResolvers<RequestPermissionResponse>();
    const withdraw = (): void => this.#withdraw(prompt_id);
    const cancel = timeout_ms === undefined ? () => {} : after(timeout_ms + GRACE_MS, withdraw);
    signal.addEventListener('abort', withdraw, { once: true });
    this.#prompts.set(prompt_id, {
      ...asked,
      settle: (response) => {
        cancel();
        signal.removeEventListener('abort', withdraw);
        this.#prompts.delete(prompt_id);
        resolve(response);
      },
    });
    send({ kind: 'prompt', prompt: asked.prompt });
    return promise;
  }

  answer(prompt_id: string, choice_id: string): void {
    const open = this.#prompts.get(prompt_id);
    if (open === undefined) throw refusal('prompt_not_found', 'The agent no longer asks this.');
    const optionId = open.optionIds.get(choice_id);
    if (optionId === undefined) throw refusal('invalid_message', `The agent does not offer "${choice_id}".`);
    open.settle({ outcome: { outcome: 'selected', optionId } });
  }

  elicit(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse> {
    // Declined: a sign-in page must open on the agent's machine, not at the reader's.
    if (request.mode !== 'form') return Promise.resolve({ action: 'decline' });
    const question_id = this.#means.newId();
    const { promise, resolve } = Promise.withResolvers<CreateElicitationResponse>();
    const settle = (response: CreateElicitationResponse): void => {
      this.#questions.delete(question_id);
      resolve(response);
    };
    const form = 'requestedSchema' in request ? parseForm(request.requestedSchema) : undefined;
    const { message: text } = request;
    this.#questions.set(question_id, { settle, text, form });
    signal.addEventListener('abort', () => settle({ action: 'cancel' }), { once: true });
    this.#means.send({ kind: 'question', question: { question_id, text, ...(form && { form }) } });
    return promise;
  }

  /** Returns the question and its answer in words (CHT-348). */
  reply(question_id: string, reply: QuestionAnswer): string {
    const question = this.#questions.get(question_id);
    if (question === undefined) throw refusal('prompt_not_found', 'The agent no longer asks this.');
    const { answer, values } = reply;
    question.settle(answer === 'accept' ? { action: 'accept', content: { ...values } } : { action: answer });
    return answerText(question, reply);
  }

  /** On `session/cancel` the client must answer them all: https://agentclientprotocol.com/protocol/prompt-turn */
  cancel(): void {
    for (const prompt_id of [...this.#prompts.keys()]) this.#withdraw(prompt_id);
    for (const { settle } of [...this.#questions.values()]) settle({ action: 'cancel' });
  }

  #withdraw(prompt_id: string): void {
    const open = this.#prompts.get(prompt_id);
    if (open === undefined) return;
    open.settle(CANCELLED);
    this.#means.send({ kind: 'prompt_gone', prompt_id, detected_at: open.prompt.detected_at });
  }
}

function answerText(
  { text, form }: OpenQuestion,
  { answer, values = {}, answered_by: by = 'a person' }: QuestionAnswer,
): string {
  if (answer !== 'accept') return `${text}\nNot answered, by ${by}.`;
  const lines = Object.entries(values).map(([name, value]) => `${titleOf(form, name)}: ${wordsOf(value)}`);
  return clip([text, ...lines, `Answered by ${by}.`].join('\n'), MAX_ANSWER);
}

const titleOf = (form: OpenQuestion['form'], name: string): string => {
  const title = fieldOf(fieldOf(fieldOf(form, 'properties'), name), 'title');
  return typeof title === 'string' ? title : name;
};

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;

const wordsOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(wordsOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const MAX_ANSWER = 20_000;

const parseForm = (schema: unknown): Record<string, unknown> | undefined =>
  typeof schema === 'object' && schema !== null ? { ...schema } : undefined;
