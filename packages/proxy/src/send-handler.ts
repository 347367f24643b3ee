import type { Clock } from '@drawbridge/base';
import type { Outgoing as Frame, FrameOf } from '@drawbridge/link/chat';
import { type AgentTarget, type Attachment, refusal } from './adapter.ts';
import { failureOf } from './failure.ts';
import type { SendRecord, StateFile } from './state-file.ts';

type Send = FrameOf<'send_message'>;

export interface Delivered {
  readonly session_id: string;
  readonly client_message_id: string;
  readonly result: 'delivered' | 'failed';
  readonly code?: string;
  readonly at: string;
}

interface SendHandlerOptions extends Clock {
  readonly state: StateFile;
  readonly send: (frame: Frame) => void;
  readonly targetOf: (session_id: string) => AgentTarget | undefined;
  readonly fetchFile: (attachment_id: string) => Promise<Pick<Attachment, 'mime' | 'bytes'>>;
  readonly onDelivery: (delivered: Delivered) => void;
}

/** Just below the relay's own timeout for a result. */
const INJECT_MS = 55_000;

const DIED = 'The proxy crashed during delivery. Check the agent before you send again.';

const ABSENT = 'The history of the agent does not have the message.';

/** CHT-161: intent, then injected or failed, then reported; each on the disk before the next. */
export class SendHandler {
  readonly #options: SendHandlerOptions;
  /** Latest attempt of each send in progress. */
  readonly #underWay = new Map<string, number | undefined>();
  readonly #lines = new Map<string, Promise<void>>();

  constructor(options: SendHandlerOptions) {
    this.#options = options;
  }

  take(send: Send): void {
    const { session_id, client_message_id, attempt } = send;
    const key = JSON.stringify([session_id, client_message_id]);
    const isUnderWay = this.#underWay.has(key);
    this.#underWay.set(key, attempt);
    if (isUnderWay) return;
    const known = this.#options.state.send(session_id, client_message_id);
    if (known !== undefined && known.state !== 'intent') {
      this.#report(key, send, known);
      return;
    }
    const settle = known === undefined ? () => this.#deliver(send) : () => this.#lookUp(send, DIED);
    // In order of acceptance (CHT-147): waits until the agent has the message, not for its answer.
    const line = (this.#lines.get(session_id) ?? Promise.resolve()).then(async () =>
      this.#report(key, send, await settle()),
    );
    this.#lines.set(session_id, line);
  }

  async #deliver(send: Send): Promise<SendRecord> {
    const { session_id, client_message_id, content = '' } = send;
    const record = (outcome: SendRecord): SendRecord => this.#record(session_id, client_message_id, outcome);
    try {
      const target = this.#options.targetOf(session_id);
      if (target === undefined) throw refusal('session_unknown', 'This proxy has no such session.');
      const attachments = await this.#attachments(send, target);
      record({ state: 'intent', text: content });
      await this.#inTime(target.inject({ text: content, attachments }));
      return record({ state: 'injected', at: this.#at() });
    } catch (error) {
      const { code, message } = failureOf(error, 'send_injection_failed');
      if (code === 'delivery_unknown') return this.#lookUp(send, message);
      return record({ state: 'failed', at: this.#at(), code, message });
    }
  }

  #record(session_id: string, client_message_id: string, outcome: SendRecord): SendRecord {
    this.#options.state.record(session_id, client_message_id, outcome);
    return outcome;
  }

  /**
   * A send with an unknown end was injected if the agent's own conversation has it. Absence proves
   * nothing: the agent may have begun and stored nothing.
   */
  async #lookUp(send: Send, reason: string): Promise<SendRecord> {
    const { session_id, client_message_id, content: text = '' } = send;
    const past = await this.#past(session_id);
    const found = past ?? [];
    const other = found.findLastIndex((each) => each.trim() !== text.trim());
    const isThere = found.length - 1 - other > this.#options.state.repeats(session_id, text);
    return this.#record(
      session_id,
      client_message_id,
      isThere
        ? { state: 'injected', at: this.#at() }
        : {
            state: 'unknown',
            at: this.#at(),
            code: 'delivery_unknown',
            message: past ? `${reason} ${ABSENT}` : reason,
          },
    );
  }

  async #past(session_id: string): Promise<readonly string[] | undefined> {
    try {
      return await this.#options.targetOf(session_id)?.pastSends?.();
    } catch {
      return undefined;
    }
  }

  /** A hanging adapter would block all later sends. */
  async #inTime(injected: Promise<void>): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const cancel = this.#options.after(INJECT_MS, () =>
      reject(
        refusal(
          'delivery_unknown',
          'The agent did not confirm the message. Check the agent before you send again.',
        ),
      ),
    );
    try {
      await Promise.race([injected, late]);
    } finally {
      cancel();
    }
  }

  async #attachments({ attachments = [] }: Send, target: AgentTarget): Promise<readonly Attachment[]> {
    if (attachments.length > 0 && !target.powers.has('attachments')) {
      throw refusal('send_injection_failed', 'This agent takes no files. Send the message without them.');
    }
    return Promise.all(
      attachments.map(async ({ attachment_id, name }) => ({
        ...(await this.#options.fetchFile(attachment_id)),
        attachment_id,
        name: name ?? attachment_id,
      })),
    );
  }

  #report(key: string, { session_id, client_message_id }: Send, record: SendRecord): void {
    const attempt = this.#underWay.get(key);
    this.#underWay.delete(key);
    if (record.state === 'intent') return;
    const { at } = record;
    const about = { session_id, client_message_id, ...(attempt !== undefined && { attempt }) };
    if (record.state === 'injected') {
      this.#options.send({ type: 'proxy_send_result', ...about, result: 'delivered', delivered_at: at });
      this.#options.onDelivery({ ...about, result: 'delivered', at });
      return;
    }
    const { code, message } = record;
    const error = { code, message };
    this.#options.send({ type: 'proxy_send_result', ...about, result: 'failed', failed_at: at, error });
    this.#options.onDelivery({ ...about, result: 'failed', code, at });
  }

  #at(): string {
    return new Date(this.#options.now()).toISOString();
  }
}
