import type { PermissionOption, RequestPermissionRequest } from '@agentclientprotocol/sdk';
import type { AgentPrompt } from '../adapter.ts';
import { askedText, type KnownCall, mergeCall } from './tool-call.ts';

const WORDS = {
  allow_once: 'yes',
  allow_always: 'always',
  reject_once: 'no',
  reject_always: 'never',
} as const satisfies Record<PermissionOption['kind'], string>;

const isDenial = ({ kind }: PermissionOption): boolean => kind === 'reject_once' || kind === 'reject_always';

export interface Asked {
  readonly prompt: AgentPrompt;
  /** The agent's ids of the choices. */
  readonly optionIds: ReadonlyMap<string, string>;
}

interface Instance {
  readonly nonce: string;
  readonly detected_at: string;
  readonly timeout_ms: number | undefined;
}

/** CHT-231, CHT-232: one appearance of a dialog. The default always denies. */
export function askedPrompt(
  request: RequestPermissionRequest,
  known: KnownCall | undefined,
  { nonce, detected_at, timeout_ms }: Instance,
): Asked {
  const optionIds = new Map<string, string>();
  const denial = request.options.find(({ kind }) => kind === 'reject_once') ?? request.options.find(isDenial);
  let default_choice: string | undefined;
  const choices = request.options.map((option) => {
    const word = WORDS[option.kind];
    const choice_id = optionIds.has(word) ? option.optionId : word;
    optionIds.set(choice_id, option.optionId);
    if (option === denial) default_choice = choice_id;
    return {
      choice_id,
      label: option.name.slice(0, 500),
      is_default: option === denial,
      effect: isDenial(option) ? ('deny' as const) : ('allow' as const),
    };
  });
  return {
    optionIds,
    prompt: {
      prompt_id: `${request.toolCall.toolCallId.slice(0, 200)}.${nonce}`,
      prompt_text: askedText(mergeCall(known, request.toolCall)),
      choices,
      detected_at,
      ...(default_choice !== undefined && { default_choice }),
      ...(timeout_ms !== undefined && { timeout_ms }),
    },
  };
}
