import { chatChecks } from '../generated/chat-checks.ts';
import { LIMITS } from '../wire/limits.ts';
import { defineProtocol, kindFrom, type Refusal } from '../wire/protocol.ts';
import type { OpenPrompt } from './control.ts';
import { CHAT_PROTOCOL_VERSION } from './envelope.ts';
import { CHAT_FRAMES, type ChatFrame, RETIRED_FRAMES } from './frames.ts';

const retired = new Map<string, string>(Object.entries(RETIRED_FRAMES));
const typeOf = kindFrom('type');

function kindOf(frame: Readonly<Record<string, unknown>>): string | Refusal {
  const { protocol_version: version } = frame;
  if (typeof version === 'number' && version !== CHAT_PROTOCOL_VERSION) {
    return {
      code: 'protocol_version_unsupported',
      path: 'protocol_version',
      message: `must be ${CHAT_PROTOCOL_VERSION}: this relay speaks no other version`,
    };
  }
  const kind = typeOf(frame);
  const successor = typeof kind === 'string' ? retired.get(kind) : undefined;
  return successor === undefined
    ? kind
    : { path: 'type', message: `is a retired name: send ${successor} instead` };
}

function sendSaysSomething(frame: ChatFrame): Refusal | undefined {
  if (frame.type !== 'send_message') return undefined;
  if ((frame.content ?? '') !== '' || (frame.attachments ?? []).length > 0) return undefined;
  return { path: 'content', message: 'must not be empty when there are no attachments' };
}

function statusSaysSomething(frame: ChatFrame): Refusal | undefined {
  if (frame.type !== 'proxy_status' || frame.status !== undefined || frame.activity !== undefined)
    return undefined;
  return { path: 'status', message: 'or activity must be there: the frame reports a change of one of them' };
}

const CONTROL_CHARACTER = /\p{Cc}/u;

/** A proxy may hand the path to an agent's input, where a line break would send what stands before it. */
function workspaceIsOneLine(frame: ChatFrame): Refusal | undefined {
  if (frame.type !== 'launch_session' || !CONTROL_CHARACTER.test(frame.workspace_path ?? ''))
    return undefined;
  return { path: 'workspace_path', message: 'must not contain control characters' };
}

type Prompt = Pick<OpenPrompt, 'choices' | 'default_choice'>;

const hasAChoiceByDefault = ({ choices, default_choice }: Prompt): boolean =>
  default_choice === undefined || choices.some(({ choice_id }) => choice_id === default_choice);

/** Where a prompt stands in a frame: as the frame itself, replayed by history, or still open at connect. */
function defaultIsAChoice(frame: ChatFrame): Refusal | undefined {
  const wrong = (place: string): Refusal => ({
    path: `${place}default_choice`,
    message: 'must be the choice_id of one of the choices',
  });
  switch (frame.type) {
    case 'permission_prompt':
      return hasAChoiceByDefault(frame) ? undefined : wrong('');
    case 'connection_ack': {
      const at = frame.open_prompts?.findIndex((prompt) => !hasAChoiceByDefault(prompt)) ?? -1;
      return at < 0 ? undefined : wrong(`open_prompts[${at}].`);
    }
    case 'history_delta': {
      const at = frame.events.findIndex((e) => e.type === 'permission_prompt' && !hasAChoiceByDefault(e));
      return at < 0 ? undefined : wrong(`events[${at}].`);
    }
    default:
      return undefined;
  }
}

export const chat = defineProtocol<ChatFrame>({
  noun: 'chat frame',
  maxChars: LIMITS.frame.value,
  refuseWith: 'invalid_message',
  schemas: CHAT_FRAMES,
  checks: chatChecks,
  kindOf,
  rules: [sendSaysSomething, statusSaysSomething, workspaceIsOneLine, defaultIsAChoice],
});
