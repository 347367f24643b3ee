import * as acp from '@agentclientprotocol/sdk';
import type { Activity, SessionHealth } from '@drawbridge/protocol';
import {
  type AgentConfiguration,
  type AgentTarget,
  type Injection,
  type Observation,
  type QuestionAnswer,
  refusal,
  requirePower,
  type TargetDescription,
  type TargetPower,
} from '../adapter.ts';
import type { AgentRegister } from '../orphans.ts';
import { AgentLife, type Awake } from './agent-life.ts';
import { type AgentProcess, wordsOf } from './agent-process.ts';
import {
  changeSetting,
  configurationOf,
  modesOf,
  NO_SETTINGS,
  type Settings,
  selectorOf,
  updatedSettings,
  type Wish,
} from './configuration.ts';
import { OpenQuestions } from './open-questions.ts';
import type { AcpProfile } from './profiles.ts';
import { promptBlocks } from './prompt-blocks.ts';
import { givePrompt, type PromptTurn } from './prompt-turn.ts';
import { enterSession } from './session-entry.ts';
import { activityOf, Transcript } from './transcript.ts';

export interface AcpMeans {
  readonly now: () => number;
  readonly newId: () => string;
  readonly after: (ms: number, run: () => void) => () => void;
  /** Where attachments lie that an agent cannot take in its prompt. */
  readonly attachments: string;
  readonly promptTimeoutMs: number | undefined;
  /** Where it is written down which processes run. */
  readonly register?: AgentRegister;
}

interface Conversation {
  readonly profile: AcpProfile;
  readonly workspace: string;
  readonly title: string | null;
  /** Undefined for a new one. */
  readonly nativeId: string | undefined;
  /** Nobody has read it yet: its past is told when it is loaded. */
  readonly isForeign: boolean;
}

const { methods } = acp;
const STOP_MS = 10_000;
const CLOSE_MS = 2_000;
const MAX_RESTARTS = 3;
const IDLE: Activity = { kind: 'idle', label: 'Idle' };

/**
 * One conversation, in a process of its own: what crashes takes nothing else with it. It sleeps until it is
 * needed when the proxy was restarted, and is woken up by what is sent to it.
 */
export class AcpTarget implements AgentTarget {
  readonly #conversation: Conversation;
  readonly #means: AcpMeans;
  readonly #listeners = new Set<(observation: Observation) => void>();
  readonly #transcript: Transcript;
  readonly #open: OpenQuestions;
  readonly #life: AgentLife;
  readonly #turns = new Set<PromptTurn>();
  #nativeId: string | undefined;
  #settings: Settings = NO_SETTINGS;
  #title: string | null;
  #status: SessionHealth = 'healthy';
  #activity = IDLE;
  #isReplay = false;
  #restarts = 0;

  constructor(conversation: Conversation, means: AcpMeans) {
    this.#conversation = conversation;
    this.#means = means;
    this.#nativeId = conversation.nativeId;
    this.#title = conversation.title;
    this.#transcript = new Transcript({
      ...means,
      tell: (message) => this.#tell({ kind: 'message', message }),
    });
    this.#open = new OpenQuestions({
      ...means,
      timeout_ms: means.promptTimeoutMs,
      tell: (observation) => this.#tell(observation),
    });
    this.#life = new AgentLife({
      profile: conversation.profile,
      cwd: conversation.workspace,
      register: means.register,
      ears: {
        onUpdate: (note) => this.#hear(note),
        onPermission: (request, cancelled) => {
          this.#waits('Waits for a permission');
          return this.#open.ask(request, this.#transcript.call(request.toolCall.toolCallId), cancelled);
        },
        onElicitation: (request, cancelled) => {
          this.#waits('Waits for an answer');
          return this.#open.elicit(request, cancelled);
        },
      },
      enter: (process, signal) => this.#enter(process, signal),
      onAwake: () => this.#become(this.#activity, 'healthy'),
      onFall: (how) => this.#fell(how),
    });
  }

  get signature(): string {
    return `acp:${this.#conversation.profile.name}:${this.#nativeId ?? 'new'}`;
  }

  get powers(): ReadonlySet<TargetPower> {
    const powers = new Set<TargetPower>([
      'interrupt',
      'permission_dialogs',
      'questions',
      'attachments',
      'close',
    ]);
    if (selectorOf(this.#settings, 'model') !== undefined) powers.add('set_model');
    if (modesOf(this.#settings) !== undefined) powers.add('set_mode');
    return powers;
  }

  describe = (): TargetDescription => {
    const { profile, workspace } = this.#conversation;
    const { agent_type, name, display_name } = profile;
    const pid = this.#life.awake?.process.pid;
    return {
      agent_type,
      ...(agent_type === 'unknown' && { agent_name: name }),
      display_name: this.#title ?? display_name,
      ...(this.#title !== null && { window_title: this.#title }),
      workspace,
      ...(pid !== undefined && { target_id: `pid ${pid}` }),
      status: this.#status,
      activity: this.#activity,
      lasting: this.#isLasting,
    };
  };

  observe = (listener: (observation: Observation) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Of a new conversation, before anybody knows of it. */
  start = async (signal: AbortSignal): Promise<void> => {
    await this.#life.wake(signal);
  };

  inject = async (injection: Injection): Promise<void> => {
    const { process, sessionId } = await this.#wakeToSend();
    const { attachments: folder, newId } = this.#means;
    const capabilities = process.introduction.agentCapabilities?.promptCapabilities;
    const prompt = await promptBlocks(injection, { capabilities, folder, newId });
    this.#transcript.sent(injection.text);
    const turn = givePrompt(process, sessionId, prompt);
    this.#turns.add(turn);
    this.#become({ kind: 'thinking', label: 'Thinking' });
    void turn.over.then((words) => {
      this.#endTurn(turn);
      if (words !== undefined) this.#transcript.say(words);
    });
    await turn.taken;
  };

  interrupt = async (): Promise<void> => {
    const { name } = this.#conversation.profile;
    const running = this.#life.awake;
    if (running === undefined || this.#turns.size === 0) {
      throw refusal('agent_not_active', `${name} is not at work, so there is nothing to stop.`);
    }
    const { promise: stopped, resolve, reject } = Promise.withResolvers<void>();
    const callOff = this.#means.after(STOP_MS, () =>
      reject(
        refusal('delivery_unknown', `${name} was told to stop, and has not said that it has. Look at it.`),
      ),
    );
    const off = this.observe(() => {
      if (this.#turns.size === 0) resolve();
    });
    try {
      await running.process.agent.notify(methods.agent.session.cancel, { sessionId: running.sessionId });
      this.#open.cancel();
      await stopped;
    } finally {
      callOff();
      off();
    }
  };

  configuration = async (): Promise<AgentConfiguration> => {
    try {
      await this.#life.wake();
    } catch (error) {
      throw refusal('config_read_failed', `It cannot be read: ${wordsOf(error)}`, error);
    }
    return configurationOf(this.#settings);
  };

  configure = async (
    wish: { readonly model: string } | { readonly mode: string },
  ): Promise<AgentConfiguration> => {
    const { process, sessionId } = await this.#life.wake();
    const { name } = this.#conversation.profile;
    const isModel = 'model' in wish;
    requirePower(this.powers, isModel ? 'set_model' : 'set_mode', name);
    const change: Wish = isModel
      ? { category: 'model', value: wish.model }
      : { category: 'mode', value: wish.mode };
    this.#set(await changeSetting(process.agent, sessionId, this.#settings, change));
    return configurationOf(this.#settings);
  };

  answer = async (prompt_id: string, choice_id: string): Promise<void> => {
    this.#open.answer(prompt_id, choice_id);
    this.#goOn();
  };

  reply = async (question_id: string, answer: QuestionAnswer): Promise<void> => {
    this.#open.reply(question_id, answer);
    this.#goOn();
  };

  /** Ends the conversation for the agent too, where it can do that, and the process in any case. */
  close = async (): Promise<void> => {
    const { awake, introduction, isClosed } = this.#life;
    const canClose = introduction?.agentCapabilities?.sessionCapabilities?.close != null;
    if (!isClosed && awake !== undefined && canClose) {
      const limit = { cancellationSignal: AbortSignal.timeout(CLOSE_MS), stopWaitingOnCancel: true };
      const { sessionId } = awake;
      await awake.process.agent.request(methods.agent.session.close, { sessionId }, limit).catch(() => {});
    }
    await this.end();
  };

  /** Ends the process: the conversation can go on another time, where the agent keeps it. Idempotent. */
  end = async (): Promise<void> => {
    this.#open.cancel();
    await this.#life.close();
  };

  get #isLasting(): boolean {
    const capabilities = this.#life.introduction?.agentCapabilities;
    if (capabilities === undefined) return this.#conversation.nativeId !== undefined;
    return capabilities.loadSession === true || capabilities.sessionCapabilities?.resume != null;
  }

  #tell(observation: Observation): void {
    for (const listener of [...this.#listeners]) listener(observation);
  }

  #become(activity: Activity, status: SessionHealth = this.#status): void {
    const { kind, label } = this.#activity;
    if (kind === activity.kind && label === activity.label && status === this.#status) return;
    this.#status = status;
    this.#activity = { ...activity, updated_at: new Date(this.#means.now()).toISOString() };
    this.#tell({ kind: 'described' });
  }

  #waits(label: string): void {
    this.#worksOnIt();
    this.#become({ kind: 'waiting_for_user', label });
  }

  #goOn(): void {
    if (this.#turns.size > 0 && this.#open.isEmpty) this.#become({ kind: 'thinking', label: 'Thinking' });
  }

  #set(settings: Settings): void {
    this.#settings = settings;
    this.#tell({ kind: 'configured', configuration: configurationOf(settings) });
  }

  #endTurn(turn: PromptTurn): void {
    if (!this.#turns.delete(turn) || this.#turns.size > 0) return;
    this.#restarts = 0;
    this.#transcript.end();
    this.#become(IDLE);
  }

  /** With two under way, nobody can tell which of them it is about. */
  #worksOnIt(): void {
    const [turn, ...others] = this.#turns;
    if (others.length === 0) turn?.took();
  }

  #hear({ sessionId, update }: acp.SessionNotification): void {
    if (this.#nativeId !== undefined && sessionId !== this.#nativeId) return;
    const settings = updatedSettings(this.#settings, update);
    if (settings !== undefined) this.#set(settings);
    if (update.sessionUpdate === 'session_info_update' && update.title) this.#entitle(update.title);
    if (this.#isReplay && !this.#conversation.isForeign) return;
    if (!this.#isReplay && activityOf(update, undefined) !== undefined) this.#worksOnIt();
    this.#transcript.take(update);
    const call = 'toolCallId' in update ? this.#transcript.call(update.toolCallId) : undefined;
    const activity = activityOf(update, call);
    if (activity !== undefined && this.#turns.size > 0 && this.#open.isEmpty) this.#become(activity);
  }

  #entitle(title: string): void {
    const short = title.slice(0, 200);
    if (this.#title === short) return;
    this.#title = short;
    this.#tell({ kind: 'described' });
  }

  async #wakeToSend(): Promise<Awake> {
    try {
      return await this.#life.wake();
    } catch (error) {
      throw refusal('send_injection_failed', `The agent cannot be reached: ${wordsOf(error)}`, error);
    }
  }

  async #enter(process: AgentProcess, signal: AbortSignal): Promise<string> {
    const { workspace: cwd, isForeign: wantsPast } = this.#conversation;
    this.#isReplay = this.#nativeId !== undefined;
    try {
      const entry = { cwd, sessionId: this.#nativeId, wantsPast };
      const { sessionId, settings } = await enterSession(process, entry, signal);
      this.#nativeId = sessionId;
      this.#set(settings);
      return sessionId;
    } finally {
      if (wantsPast) this.#transcript.end();
      this.#isReplay = false;
    }
  }

  /** The process is gone. Nothing that was asked there can be answered any more. */
  #fell(how: string): void {
    this.#open.cancel();
    this.#turns.clear();
    this.#transcript.end();
    this.#transcript.say(`The agent ended unexpectedly: ${how}.`);
    if (!this.#isLasting) {
      void this.#life.close();
      this.#become(IDLE, 'disconnected');
      this.#tell({ kind: 'gone' });
      return;
    }
    this.#become(IDLE, 'degraded');
    this.#restarts += 1;
    if (this.#restarts <= MAX_RESTARTS) void this.#again();
  }

  async #again(): Promise<void> {
    try {
      await this.#life.wake();
      this.#transcript.say('It was started again, and the conversation goes on.');
    } catch (error) {
      this.#become(IDLE, 'disconnected');
      this.#transcript.say(`It could not be started again: ${wordsOf(error)}`);
    }
  }
}
