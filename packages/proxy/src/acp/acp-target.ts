import { type McpServer, methods, type SessionNotification } from '@agentclientprotocol/sdk';
import type { ErrorCode } from '@drawbridge/protocol';
import {
  type AgentConfiguration,
  type AgentTarget,
  type ConfigurationChange,
  type Injection,
  type Observation,
  type QuestionAnswer,
  refusal,
  type TargetDescription,
  type TargetPower,
} from '../adapter.ts';
import { AgentLife, type Awake } from './agent-life.ts';
import { type AgentProcess, wordsOf } from './agent-process.ts';
import { createAgentSettings } from './agent-settings.ts';
import { createBearing, IDLE, THINKING } from './bearing.ts';
import { openBrowserServer } from './browser-server.ts';
import type { AcpMeans, Conversation } from './conversation.ts';
import { OpenQuestions } from './open-questions.ts';
import { readPastSends } from './past-sends.ts';
import { promptBlocks } from './prompt-blocks.ts';
import { givePrompt } from './prompt-turn.ts';
import { createRevival } from './revival.ts';
import { enterSession, leaveSession } from './session-entry.ts';
import { activityOf, Transcript } from './transcript.ts';
import { createTurns } from './turns.ts';

/**
 * One conversation in its own process, so a crash affects nothing else. After a restart of the proxy the
 * process starts with the next send.
 */
export class AcpTarget implements AgentTarget {
  readonly #conversation: Conversation;
  readonly #means: AcpMeans;
  readonly #listeners = new Set<(observation: Observation) => void>();
  readonly #transcript: Transcript;
  readonly #open: OpenQuestions;
  readonly #life: AgentLife;
  readonly #bearing: ReturnType<typeof createBearing>;
  readonly #turns: ReturnType<typeof createTurns>;
  readonly #settings: ReturnType<typeof createAgentSettings>;
  readonly #revival: ReturnType<typeof createRevival>;
  #nativeId: string | undefined;
  #isReplay = false;
  #hasBrowser = false;
  /** At the relay. */
  #sessionId: string | undefined;

  constructor(conversation: Conversation, means: AcpMeans) {
    this.#conversation = conversation;
    this.#means = means;
    this.#nativeId = conversation.nativeId;
    this.#bearing = createBearing({
      conversation,
      now: means.now,
      onChange: () => this.#notify({ kind: 'described' }),
    });
    this.#turns = createTurns({
      after: means.after,
      onRest: () => {
        this.#revival.recovered();
        this.#transcript.end();
        this.#bearing.become(IDLE);
      },
    });
    this.#settings = createAgentSettings({
      name: conversation.profile.name,
      onChange: (configuration) => this.#notify({ kind: 'configured', configuration }),
    });
    this.#transcript = new Transcript({
      ...means,
      send: (message) => this.#notify({ kind: 'message', message }),
      draft: (message) => this.#notify({ kind: 'draft', message }),
    });
    this.#open = new OpenQuestions({
      ...means,
      timeout_ms: means.promptTimeoutMs,
      send: (observation) => this.#notify(observation),
    });
    this.#life = new AgentLife({
      profile: conversation.profile,
      cwd: conversation.workspace,
      register: means.register,
      mayRead: means.mayRead,
      ears: {
        onUpdate: (note) => this.#receive(note),
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
      onAwake: () => this.#bearing.recover(),
      onFall: (how) => this.#fell(how),
    });
    this.#revival = createRevival({
      wake: () => this.#life.wake(),
      report: (words) => this.#transcript.append(words),
      // The machine is there, and the next message starts the agent again.
      onFail: () => this.#bearing.become(IDLE, 'degraded'),
    });
  }

  get signature(): string {
    return `acp:${this.#conversation.profile.name}:${this.#nativeId ?? 'new'}`;
  }

  get powers(): ReadonlySet<TargetPower> {
    return this.#settings.powers;
  }

  describe = (): TargetDescription =>
    this.#bearing.describe({ pid: this.#life.awake?.process.pid, lasting: this.#isLasting });

  assign = (session_id: string): void => {
    this.#sessionId = session_id;
  };

  observe = (listener: (observation: Observation) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts a new conversation before it is announced. */
  start = (signal: AbortSignal): Promise<unknown> => this.#life.wake(signal);

  inject = async (injection: Injection): Promise<void> => {
    const { process, sessionId } = await this.#wakeOr('send_injection_failed', 'The agent cannot be reached');
    const { attachments: folder, newId } = this.#means;
    const capabilities = process.introduction.agentCapabilities?.promptCapabilities;
    const hasBrowser = this.#hasBrowser;
    const prompt = await promptBlocks(injection, { capabilities, folder, newId, hasBrowser });
    this.#transcript.sent(injection.text);
    const turn = givePrompt(process, sessionId, prompt);
    this.#turns.add(turn);
    this.#bearing.become(THINKING);
    void turn.over.then((words) => {
      // The next turn may be under way: a message that was sent while the agent was busy.
      this.#transcript.endMessage();
      this.#turns.end(turn);
      if (words !== undefined) this.#transcript.append(words);
    });
    await turn.taken;
  };

  pastSends = async (): Promise<readonly string[] | undefined> => {
    const { profile, workspace: cwd } = this.#conversation;
    if (this.#nativeId === undefined || !this.#isLasting) return undefined;
    return readPastSends(profile, { cwd, sessionId: this.#nativeId, register: this.#means.register });
  };

  interrupt = async (): Promise<void> => {
    const { name } = this.#conversation.profile;
    const running = this.#life.awake;
    if (running === undefined || this.#turns.isEmpty) {
      throw refusal('agent_not_active', `${name} is idle, so there is nothing to stop.`);
    }
    await this.#turns.stop(name, async () => {
      await running.process.agent.notify(methods.agent.session.cancel, { sessionId: running.sessionId });
      this.#open.cancel();
    });
  };

  configuration = async (): Promise<AgentConfiguration> => {
    await this.#wakeOr('config_read_failed', 'It cannot be read');
    return this.#settings.configuration;
  };

  configure = async (wish: ConfigurationChange): Promise<AgentConfiguration> =>
    this.#settings.change(await this.#life.wake(), wish);

  answer = async (prompt_id: string, choice_id: string): Promise<void> => {
    this.#open.answer(prompt_id, choice_id);
    this.#goOn();
  };

  reply = async (question_id: string, answer: QuestionAnswer): Promise<void> => {
    this.#transcript.append(this.#open.reply(question_id, answer));
    this.#goOn();
  };

  /** Ends the conversation at the agent if it can, and always ends the process. */
  close = async (): Promise<void> => {
    const { awake, isClosed } = this.#life;
    if (!isClosed && awake !== undefined) await leaveSession(awake.process, awake.sessionId);
    await this.end();
  };

  /** Ends the process. A conversation that the agent stores can continue later. Idempotent. */
  end = async (): Promise<void> => {
    this.#open.cancel();
    await this.#life.close();
  };

  get #isLasting(): boolean {
    const capabilities = this.#life.introduction?.agentCapabilities;
    if (capabilities === undefined) return this.#conversation.nativeId !== undefined;
    return capabilities.loadSession === true || capabilities.sessionCapabilities?.resume != null;
  }

  #notify(observation: Observation): void {
    for (const listener of [...this.#listeners]) listener(observation);
  }

  #waits(label: string): void {
    this.#turns.worksOnIt();
    this.#bearing.become({ kind: 'waiting_for_user', label });
  }

  #goOn(): void {
    if (!this.#turns.isEmpty && this.#open.isEmpty) this.#bearing.become(THINKING);
  }

  #receive({ sessionId, update }: SessionNotification): void {
    if (this.#nativeId !== undefined && sessionId !== this.#nativeId) return;
    this.#settings.receive(update);
    if (update.sessionUpdate === 'session_info_update' && update.title) this.#bearing.entitle(update.title);
    if (this.#isReplay && !this.#conversation.isForeign) return;
    if (!this.#isReplay && activityOf(update, undefined) !== undefined) this.#turns.worksOnIt();
    this.#transcript.take(update);
    const call = 'toolCallId' in update ? this.#transcript.call(update.toolCallId) : undefined;
    const activity = activityOf(update, call);
    if (activity !== undefined && !this.#turns.isEmpty && this.#open.isEmpty) this.#bearing.become(activity);
  }

  async #wakeOr(code: ErrorCode, words: string): Promise<Awake> {
    try {
      return await this.#life.wake();
    } catch (error) {
      throw refusal(code, `${words}: ${wordsOf(error)}`, error);
    }
  }

  async #enter(process: AgentProcess, signal: AbortSignal): Promise<string> {
    const { workspace: cwd, isForeign: wantsPast } = this.#conversation;
    this.#isReplay = this.#nativeId !== undefined;
    try {
      const mcpServers = await this.#browser(process);
      this.#hasBrowser = mcpServers.length > 0;
      const entry = { cwd, sessionId: this.#nativeId, wantsPast, mcpServers };
      const { sessionId, settings } = await enterSession(process, entry, signal);
      this.#nativeId = sessionId;
      this.#settings.set(settings);
      return sessionId;
    } finally {
      if (wantsPast) this.#transcript.end();
      this.#isReplay = false;
    }
  }

  /** The relay is asked for the tabs when the agent first wants them. */
  async #browser({ ended }: AgentProcess): Promise<readonly McpServer[]> {
    const { lend } = this.#means;
    const isRefused = this.#nativeId === undefined && this.#conversation.browser === false;
    if (lend === undefined || isRefused) return [];
    const server = await openBrowserServer({ ...lend, sessionId: () => this.#sessionId });
    void ended.then(server.close);
    return [server.entry];
  }

  /** The process is gone: open questions can no longer be answered. */
  #fell(how: string): void {
    this.#open.cancel();
    this.#turns.clear();
    this.#transcript.end();
    this.#transcript.append(`The agent ended unexpectedly: ${how}.`);
    if (!this.#isLasting) {
      void this.#life.close();
      this.#bearing.become(IDLE, 'disconnected');
      this.#notify({ kind: 'gone' });
      return;
    }
    this.#bearing.become(IDLE, 'degraded');
    void this.#revival.again();
  }
}
