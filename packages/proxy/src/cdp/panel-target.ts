import { BridgeError } from '@drawbridge/protocol';
import {
  type AgentConfiguration,
  type AgentPrompt,
  type AgentTarget,
  type ConfigurationChange,
  type Injection,
  type Observation,
  refusal,
  requirePower,
  type TargetDescription,
  type TargetPower,
} from '../adapter.ts';
import type { Panel, PanelMeans } from './panel.ts';
import { agentTypeOf, type PanelKind, STATES, TOOLS, targetPowers } from './panel-map.ts';
import { choicesOf, promptOf } from './panel-prompt.ts';
import { sendMessage } from './panel-send.ts';
import { createPanelSettings } from './panel-settings.ts';
import type { PanelPrompt } from './panel-view.ts';
import { TranscriptFold } from './transcript-fold.ts';

export interface PanelConversation {
  readonly signature: string;
  readonly kind: PanelKind;
  readonly workspace: string;
  readonly title: string | null;
  readonly targetId: string;
  /** Messages already in the transcript were reported before. */
  readonly isKnown: boolean;
}

interface OpenPrompt {
  readonly shown: PanelPrompt;
  readonly prompt: AgentPrompt;
}

const NONE: ReadonlySet<never> = new Set();
/** A conversation in a chat panel. Outlives the connection to its page: another panel may take over. */
export class PanelTarget implements AgentTarget {
  readonly signature: string;
  readonly #conversation: PanelConversation;
  readonly #means: PanelMeans;
  readonly #fold: TranscriptFold;
  readonly #settings: ReturnType<typeof createPanelSettings>;
  readonly #listeners = new Set<(observation: Observation) => void>();
  #panel: Panel;
  #off: () => void = () => {};
  #isKnown: boolean;
  #open: OpenPrompt | undefined;
  #isAnswering = false;
  #described = '';
  #configured = '';
  #drift = '';
  #isOver = false;
  /** Last message taken: the count before it, and whether an answer is due. */
  #turn: { readonly before: number; isDue: boolean } | undefined;

  constructor(conversation: PanelConversation, panel: Panel, means: PanelMeans) {
    this.signature = conversation.signature;
    this.#conversation = conversation;
    this.#means = means;
    this.#isKnown = conversation.isKnown;
    this.#fold = new TranscriptFold(means);
    this.#panel = panel;
    this.#settings = createPanelSettings({
      agent: conversation.kind.agent,
      panel: () => this.#panel,
      powers: () => this.powers,
    });
  }

  get panel(): Panel {
    return this.#panel;
  }

  get powers(): ReadonlySet<TargetPower> {
    const map = this.#panel.map();
    return map === undefined ? NONE : targetPowers(map);
  }

  /** Attaches the same panel under a new connection. */
  rejoin(panel: Panel): void {
    this.#off();
    this.#panel = panel;
    if (this.#listeners.size > 0) this.#follow();
  }

  describe(): TargetDescription {
    const { kind, workspace, title, targetId } = this.#conversation;
    const { view, drift, isClosed } = this.#panel;
    const type = agentTypeOf(kind);
    return {
      agent_type: type,
      ...(type === 'unknown' && { agent_name: kind.agent }),
      display_name: title ?? kind.display_name,
      window_title: title ?? kind.display_name,
      workspace,
      target_id: targetId,
      status: isClosed ? 'disconnected' : (drift?.status ?? 'healthy'),
      activity: view?.activity ?? { kind: 'idle' },
      lasting: true,
    };
  }

  observe(listener: (observation: Observation) => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#off();
    };
  }

  async inject(injection: Injection): Promise<void> {
    if (this.#isOver || this.#panel.isClosed)
      throw refusal('send_injection_failed', 'The panel of this conversation is gone.');
    const unexpect = this.#fold.expect(injection.text);
    try {
      this.#expectAnswer(await sendMessage(this.#panel, injection));
    } catch (error) {
      // A message with unknown delivery may still appear as an echo.
      if (!(error instanceof BridgeError && error.code === 'delivery_unknown')) unexpect();
      throw error;
    }
  }

  async interrupt(): Promise<void> {
    requirePower(this.powers, 'interrupt', this.#conversation.kind.agent);
    const panel = this.#panel;
    await panel.look();
    if (this.#isIdle()) throw refusal('agent_not_active', 'The agent is idle, so there is nothing to stop.');
    // A stopped agent need not have answered.
    this.#turn = undefined;
    const failure = await panel.call(TOOLS.interrupt).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (await panel.until(this.#isIdle, panel.verifyMs)) return;
    await panel.blame(TOOLS.interrupt, failure);
    throw refusal('selector_failure', `The panel does not stop the agent. ${wordsOf(failure)}`, failure);
  }

  async configuration(): Promise<AgentConfiguration> {
    await this.#panel.look();
    return this.#settings.read(this.#isIdle);
  }

  configure(wish: ConfigurationChange): Promise<AgentConfiguration> {
    return this.#settings.choose(wish);
  }

  async answer(prompt_id: string, choice_id: string): Promise<void> {
    requirePower(this.powers, 'permission_dialogs', this.#conversation.kind.agent);
    const open = this.#open;
    if (open?.prompt.prompt_id !== prompt_id) {
      throw refusal('prompt_not_found', 'The panel no longer asks this.');
    }
    const choice = choicesOf(open.shown).find((each) => each.choice_id === choice_id);
    if (choice === undefined) throw refusal('invalid_message', `It offers no choice ${choice_id}.`);
    const panel = this.#panel;
    const isGone = () => panel.view?.prompt?.instance !== open.shown.instance;
    this.#isAnswering = true;
    try {
      const failure = await panel.call(TOOLS.answer, { says: choice.says }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (await panel.until(isGone, panel.verifyMs)) return;
      await panel.blame(TOOLS.answer, failure);
      throw refusal('selector_failure', `The panel did not take the answer. ${wordsOf(failure)}`, failure);
    } finally {
      this.#isAnswering = false;
    }
  }

  async reply(): Promise<void> {
    requirePower<TargetPower>(this.powers, 'questions', this.#conversation.kind.agent);
  }

  /** Keeps the panel open: the window belongs to a person. */
  async close(): Promise<void> {
    requirePower<TargetPower>(this.powers, 'close', this.#conversation.kind.agent);
  }

  /** Called when the panel shows another conversation or is gone. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#off();
    this.#notify({ kind: 'gone' });
  }

  #isIdle = (): boolean => (this.#panel.view?.activity.kind ?? 'idle') === 'idle';

  #follow(): void {
    this.#off();
    if (this.#isOver || this.#listeners.size === 0) return;
    const off = this.#panel.onChange(() => this.#take());
    // Deferred, so that the listener can register first.
    const cancel = this.#means.after(0, () => this.#take());
    this.#off = () => {
      off();
      cancel();
    };
  }

  #take(): void {
    if (this.#isOver) return;
    const { view } = this.#panel;
    if (view !== undefined) {
      for (const message of this.#fold.take(view.messages, this.#isKnown))
        this.#notify({ kind: 'message', message });
      this.#isKnown = false;
      this.#takePrompt(view.prompt);
      this.#watchTurn();
    }
    this.#reportDrift();
    const { status, activity } = this.describe();
    this.#described = this.#once(this.#described, { status, activity }, () =>
      this.#notify({ kind: 'described' }),
    );
    const configuration = this.#settings.now();
    const { model_id, permission_mode, permission_mode_name } = configuration;
    this.#configured = this.#once(this.#configured, { model_id, permission_mode, permission_mode_name }, () =>
      this.#notify({ kind: 'configured', configuration }),
    );
  }

  #once(before: string, value: unknown, tell: () => void): string {
    const now = JSON.stringify(value);
    if (now !== before) tell();
    return now;
  }

  #takePrompt(shown: PanelPrompt | undefined): void {
    if (!this.powers.has('permission_dialogs')) return;
    const open = this.#open;
    if (open !== undefined && open.shown.instance !== shown?.instance) {
      this.#open = undefined;
      const { prompt_id, detected_at } = open.prompt;
      if (!this.#isAnswering) this.#notify({ kind: 'prompt_gone', prompt_id, detected_at });
    }
    if (shown === undefined || this.#open !== undefined) return;
    const prompt = promptOf(shown, this.#means);
    this.#open = { shown, prompt };
    this.#notify({ kind: 'prompt', prompt });
  }

  #expectAnswer(before: number): void {
    const turn = { before, isDue: false };
    this.#turn = turn;
    // Trusts the timer: the clock may lag a millisecond behind it.
    this.#means.after(this.#panel.verifyMs, () => {
      turn.isDue = true;
      this.#watchTurn();
    });
  }

  /** Detects drift: the agent is done, but the transcript selector reads nothing. */
  #watchTurn(): void {
    const turn = this.#turn;
    const { view } = this.#panel;
    if (turn === undefined || view === undefined || this.#isOver) return;
    if (view.messages.slice(turn.before).some(({ role }) => role === 'assistant')) {
      this.#turn = undefined;
      this.#panel.unlearn(STATES.transcript);
    } else if (view.activity.kind === 'idle' && turn.isDue) {
      const message = 'The agent has finished, but its answer can’t be read.';
      void this.#panel.learn({ status: 'scraping_failed', check: STATES.transcript, message });
    }
  }

  #reportDrift(): void {
    const { drift, evidence } = this.#panel;
    const name = drift === undefined ? '' : `${drift.status} ${drift.check}`;
    if (name === this.#drift) return;
    this.#drift = name;
    if (drift === undefined) return;
    const content = `The panel no longer fits its map: ${drift.check}. ${drift.message}\n${evidence}`.trim();
    const message = {
      message_id: this.#means.newId(),
      role: 'system' as const,
      content,
      created_at: new Date(this.#means.now()).toISOString(),
    };
    this.#notify({ kind: 'message', message });
  }

  #notify(observation: Observation): void {
    for (const listener of [...this.#listeners]) listener(observation);
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : '');
