import type * as acp from '@agentclientprotocol/sdk';
import { refusal } from '../adapter.ts';
import type { AgentRegister } from '../orphans.ts';
import { type AgentEars, type AgentProcess, startAgent, wordsOf } from './agent-process.ts';
import type { AcpProfile } from './profiles.ts';

export interface Awake {
  readonly process: AgentProcess;
  readonly sessionId: string;
}

interface LifeOptions {
  readonly profile: AcpProfile;
  readonly cwd: string;
  readonly register: AgentRegister | undefined;
  readonly mayRead: (() => Promise<void>) | undefined;
  readonly ears: AgentEars;
  /** Creates or finds the session in a process after its handshake. */
  readonly enter: (process: AgentProcess, signal: AbortSignal) => Promise<string>;
  readonly onAwake: () => void;
  /** The process ended unexpectedly. */
  readonly onFall: (how: string) => void;
}

/** A send waits for it, and the relay waits at most a minute for the send. */
const WAKE_MS = 45_000;

/** The process of one conversation: started on demand, one at a time. */
export class AgentLife {
  readonly #options: LifeOptions;
  #waking: Promise<Awake> | undefined;
  #awake: Awake | undefined;
  #introduction: acp.InitializeResponse | undefined;
  readonly #closing = new AbortController();

  constructor(options: LifeOptions) {
    this.#options = options;
  }

  /** Undefined while it sleeps. */
  get awake(): Awake | undefined {
    return this.#awake;
  }

  /** Kept after the process has ended; undefined before the first. */
  get introduction(): acp.InitializeResponse | undefined {
    return this.#introduction;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  wake(signal: AbortSignal = AbortSignal.timeout(WAKE_MS)): Promise<Awake> {
    if (this.isClosed) return Promise.reject(refusal('session_not_connected', 'The session is closed.'));
    this.#waking ??= this.#begin(AbortSignal.any([signal, this.#closing.signal])).catch((error: unknown) => {
      this.#waking = undefined;
      throw error;
    });
    return this.#waking;
  }

  /** Idempotent. Resolves when the process is gone, even before its handshake. */
  async close(): Promise<void> {
    this.#closing.abort();
    const awake = await this.#waking?.catch(() => undefined);
    await awake?.process.close();
  }

  async #begin(signal: AbortSignal): Promise<Awake> {
    const { profile, cwd, register, mayRead, ears, enter, onAwake } = this.#options;
    const process = await startAgent(profile, ears, { cwd, signal, register, mayRead });
    this.#introduction = process.introduction;
    try {
      const awake = { process, sessionId: await enter(process, signal) };
      this.#awake = awake;
      void process.ended.then((how) => this.#fell(awake, how));
      onAwake();
      return awake;
    } catch (error) {
      await process.close();
      if (signal.aborted) throw refusal('launch_timeout', `${profile.display_name} did not start in time.`);
      throw refusal('agent_not_open', `${profile.display_name} opened no session: ${wordsOf(error)}`, error);
    }
  }

  #fell(awake: Awake, how: string): void {
    if (this.#awake !== awake) return;
    this.#awake = undefined;
    this.#waking = undefined;
    if (!this.isClosed) this.#options.onFall(how);
  }
}
