import { basename } from 'node:path';
import type { Outgoing as Frame, FrameOf } from '@drawbridge/link/chat';
import type { Session } from '@drawbridge/protocol';
import type { AgentConfiguration, AgentMessage, AgentPrompt, AgentTarget, Observation } from './adapter.ts';
import type { ProxyMessage } from './drafts.ts';
import type { Delivered } from './send-handler.ts';

interface ProxySessionOptions {
  readonly session_id: string;
  readonly agent: string;
  readonly target: AgentTarget;
  readonly machine_label: string;
  readonly now: () => number;
  readonly send: (frame: Frame) => void;
  readonly draft: (frame: ProxyMessage) => void;
  /** Name or place has changed: the relay needs a new snapshot. */
  readonly onRenamed: () => void;
  readonly onChanged: () => void;
  readonly onGone: () => void;
}

type Names = Pick<Session, 'display_name' | 'window_title' | 'workspace_path'>;

/** One conversation as the relay knows it: turns agent events into frames. */
export class ProxySession {
  readonly #options: ProxySessionOptions;
  readonly #off: () => void;
  readonly #prompts = new Map<string, AgentPrompt>();
  #configuration: AgentConfiguration = { model_id: 'unknown' };
  #sentText: string;
  lastDelivery: Delivered | undefined;

  constructor(options: ProxySessionOptions) {
    this.#options = options;
    this.#sentText = JSON.stringify(this.#names());
    this.#off = options.target.observe((observation) => this.#take(observation));
  }

  get session_id(): string {
    return this.#options.session_id;
  }

  get agent(): string {
    return this.#options.agent;
  }

  get target(): AgentTarget {
    return this.#options.target;
  }

  /** CHT-126 */
  snapshot(): Session {
    const { session_id, machine_label, target, now } = this.#options;
    const { agent_type, agent_name, target_id, status, activity } = target.describe();
    return {
      session_id,
      agent_type,
      status,
      ...(agent_name !== undefined && { agent_name }),
      ...this.#names(),
      machine_label,
      target_signature: target.signature,
      ...(target_id !== undefined && { target_id }),
      last_seen_at: new Date(now()).toISOString(),
      activity,
    };
  }

  /** Stores a configuration that was just read, and returns its frame. */
  learn(configuration: AgentConfiguration): Frame {
    this.#configuration = configuration;
    return this.#config();
  }

  status(): Omit<FrameOf<'proxy_status'>, 'protocol_version'> {
    const { status, activity } = this.#options.target.describe();
    return { type: 'proxy_status', session_id: this.session_id, status, activity };
  }

  /** For a relay that may have missed them; known ones make no second event (CHT-216). */
  hello(): readonly Frame[] {
    return [this.#config(), ...[...this.#prompts.values()].map((prompt) => this.#promptFrame(prompt))];
  }

  hasPrompt(prompt_id: string, detected_at: string | undefined): boolean {
    const prompt = this.#prompts.get(prompt_id);
    return prompt !== undefined && (detected_at === undefined || detected_at === prompt.detected_at);
  }

  answered(prompt_id: string): void {
    this.#prompts.delete(prompt_id);
  }

  /** Idempotent. */
  close(): void {
    this.#off();
  }

  #names(): Names & Pick<Session, 'workspace_name'> {
    const { display_name, window_title, workspace } = this.#options.target.describe();
    return {
      display_name,
      ...(window_title !== undefined && { window_title }),
      workspace_name: basename(workspace),
      workspace_path: workspace,
    };
  }

  /** CHT-253, CHT-254: declares only working settings. */
  #config(): Frame {
    const { session_id, target, now } = this.#options;
    const { powers } = target;
    return {
      type: 'agent_config',
      session_id,
      ...this.#configuration,
      capabilities: {
        ...(powers.has('interrupt') && { interrupt: true }),
        ...(powers.has('set_model') && { set_model: true }),
        ...(powers.has('set_mode') && { permission_mode_change: true }),
        ...(powers.has('permission_dialogs') && { permission_dialogs: true }),
      },
      read_at: new Date(now()).toISOString(),
    };
  }

  #messageFrame({ details, ...message }: AgentMessage): ProxyMessage {
    const { session_id } = this.#options;
    return {
      type: 'proxy_message',
      session_id,
      message: { ...message, ...(details && { metadata: { details } }) },
    };
  }

  #promptFrame(prompt: AgentPrompt): Frame {
    return { type: 'permission_prompt', session_id: this.session_id, ...prompt };
  }

  #take(observation: Observation): void {
    const { session_id, send, onRenamed, onChanged, onGone } = this.#options;
    switch (observation.kind) {
      case 'message':
        send(this.#messageFrame(observation.message));
        return;
      case 'draft':
        this.#options.draft(this.#messageFrame(observation.message));
        return;
      case 'described': {
        const names = JSON.stringify(this.#names());
        if (names === this.#sentText) send(this.status());
        else onRenamed();
        this.#sentText = names;
        onChanged();
        return;
      }
      case 'configured':
        send(this.learn(observation.configuration));
        return;
      case 'prompt':
        this.#prompts.set(observation.prompt.prompt_id, observation.prompt);
        send(this.#promptFrame(observation.prompt));
        return;
      case 'prompt_gone': {
        const { prompt_id, detected_at } = observation;
        if (this.#prompts.delete(prompt_id)) {
          send({ type: 'permission_prompt_withdrawn', session_id, prompt_id, detected_at });
        }
        return;
      }
      case 'question':
        send({ type: 'agent_question', session_id, ...observation.question });
        return;
      case 'gone':
        onGone();
        return;
    }
  }
}
