import { LIMITS } from '@drawbridge/protocol';
import type { Configs } from './configs.ts';
import type { FrameBudget } from './frame-budget.ts';
import type { OwnFrame } from './frames.ts';
import type { Launches } from './launches.ts';
import type { Peer } from './peer.ts';
import type { Prompts } from './prompts.ts';

type Ack = Omit<Extract<OwnFrame, { type: 'connection_ack' }>, 'type'>;

/** What a browser learns in its acknowledgement; what does not fit there follows as frames of its own. */
export interface Welcome {
  readonly ack: Partial<Ack>;
  readonly after: readonly OwnFrame[];
}

/** The configurations have the rest. */
const MAX_PROMPTS_CHARS = LIMITS.frame.value / 2;

interface Parts {
  readonly launches: Launches;
  readonly prompts: Prompts;
  readonly configs: Configs;
}

export function createWelcome({ launches, prompts, configs }: Parts) {
  return (peer: Peer, budget: FrameBudget): Welcome => {
    const [pending, launching] = budget.fit(launches.pendingFor(peer));
    // The newest first: somebody waits there.
    const [open, asked] = budget.fit(prompts.openFor(peer).toReversed(), MAX_PROMPTS_CHARS);
    const [known, configured] = budget.fit(Object.entries(configs.shownTo(peer)));
    return {
      ack: {
        pending_launches: pending,
        open_prompts: open.toReversed(),
        session_configs: Object.fromEntries(known),
      },
      after: [
        ...launching.map(
          ({ request_id, agent_type }) => ({ type: 'session_launching', request_id, agent_type }) as const,
        ),
        ...asked.toReversed().map((prompt) => ({ type: 'permission_prompt', ...prompt }) as const),
        ...configured.map(
          ([session_id, config]) => ({ type: 'agent_config', session_id, ...config }) as const,
        ),
      ],
    };
  };
}
