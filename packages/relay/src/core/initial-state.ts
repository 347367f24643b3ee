import { LIMITS } from '@drawbridge/protocol';
import type { Config } from './configs.ts';
import type { FrameBudget } from './frame-budget.ts';
import type { FrameOf, OwnFrame } from './frames.ts';
import type { PromptBody } from './prompt.ts';

type Ack = Omit<Extract<OwnFrame, { type: 'connection_ack' }>, 'type'>;

/** A browser's initial state: in its acknowledgement, with the rest in frames that follow. */
export interface InitialState {
  readonly ack: Partial<Ack>;
  readonly after: readonly OwnFrame[];
}

/** The rest is left for configurations. */
const MAX_PROMPTS_CHARS = LIMITS.frame.value / 2;

interface Parts {
  readonly launches: FrameOf<'connection_ack'>['pending_launches'] & object;
  readonly prompts: readonly PromptBody[];
  readonly configs: Readonly<Record<string, Config>>;
}

export function createInitialState({ launches, prompts, configs }: Parts, budget: FrameBudget): InitialState {
  const [pending, launching] = budget.fit(launches);
  // The newest prompts first, because an agent waits for them.
  const [open, asked] = budget.fit(prompts.toReversed(), MAX_PROMPTS_CHARS);
  const [known, configured] = budget.fit(Object.entries(configs));
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
      ...configured.map(([session_id, config]) => ({ type: 'agent_config', session_id, ...config }) as const),
    ],
  };
}
