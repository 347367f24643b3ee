import type { AgentRegister } from '../orphans.ts';
import type { AcpProfile } from './profiles.ts';

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

export interface Conversation {
  readonly profile: AcpProfile;
  readonly workspace: string;
  readonly title: string | null;
  /** Undefined for a new one. */
  readonly nativeId: string | undefined;
  /** Nobody has read it yet: its past is told when it is loaded. */
  readonly isForeign: boolean;
}
