import type { Clock } from '@drawbridge/base';
import type { AgentRegister } from '../orphans.ts';
import type { Lender } from './browser-server.ts';
import type { AcpProfile } from './profiles.ts';

export interface AcpMeans extends Clock {
  readonly newId: () => string;
  /** Folder for attachments that the agent cannot take in its prompt. */
  readonly attachments: string;
  readonly promptTimeoutMs: number | undefined;
  /** Resolves when the output of agents may be read. */
  readonly mayRead?: (() => Promise<void>) | undefined;
  /** Records running processes. */
  readonly register?: AgentRegister;
  /** Lends the relay's browser tabs to agents. */
  readonly lend?: Lender;
}

export interface Conversation {
  readonly profile: AcpProfile;
  readonly workspace: string;
  readonly title: string | null;
  /** Undefined for a new one. */
  readonly nativeId: string | undefined;
  /** Not read yet: its history is sent when it is loaded. */
  readonly isForeign: boolean;
  /** False if the person launched it without the lent tabs (CHT-329). */
  readonly browser?: boolean | undefined;
}
