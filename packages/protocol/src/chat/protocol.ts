import { chatChecks } from '../generated/chat-checks.ts';
import { LIMITS } from '../wire/limits.ts';
import { defineProtocol, kindFrom, type Refusal } from '../wire/protocol.ts';
import type { OpenPrompt } from './control.ts';
import { CHAT_PROTOCOL_VERSION } from './envelope.ts';
import { CHAT_FRAMES, type ChatFrame, RETIRED_FRAMES } from './frames.ts';
import { inKnownWords } from './open-words.ts';

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

type Frame<Type extends ChatFrame['type']> = Extract<ChatFrame, { type: Type }>;

function sendSaysSomething({ content, attachments }: Frame<'send_message'>): Refusal | undefined {
  if ((content ?? '') !== '' || (attachments ?? []).length > 0) return undefined;
  return { path: 'content', message: 'must not be empty when there are no attachments' };
}

function deltaHasItsText({ op, append }: Frame<'message_delta'>): Refusal | undefined {
  if ((op === 'append') === (append !== undefined)) return undefined;
  return { path: 'append', message: 'must be there when op is append, and only then' };
}

function statusSaysSomething({ status, activity }: Frame<'proxy_status'>): Refusal | undefined {
  if (status !== undefined || activity !== undefined) return undefined;
  return { path: 'status', message: 'or activity must be there: the frame reports a change of one of them' };
}

const CONTROL_CHARACTER = /\p{Cc}/u;

/** A proxy may type the path into an agent's input, where a line break would submit it. */
function workspaceIsOneLine({ workspace_path = '' }: Frame<'launch_session'>): Refusal | undefined {
  if (!CONTROL_CHARACTER.test(workspace_path)) return undefined;
  return { path: 'workspace_path', message: 'must not contain control characters' };
}

type Prompt = Pick<OpenPrompt, 'choices' | 'default_choice'>;

const defaultsWrongly = ({ choices, default_choice }: Prompt): boolean =>
  default_choice !== undefined && choices.every(({ choice_id }) => choice_id !== default_choice);

const wrongDefault = (place: string): Refusal => ({
  path: `${place}default_choice`,
  message: 'must be the choice_id of one of the choices',
});

function promptDefaultIsAChoice(prompt: Frame<'permission_prompt'>): Refusal | undefined {
  return defaultsWrongly(prompt) ? wrongDefault('') : undefined;
}

function openDefaultsAreChoices({ open_prompts = [] }: Frame<'connection_ack'>): Refusal | undefined {
  const at = open_prompts.findIndex(defaultsWrongly);
  return at < 0 ? undefined : wrongDefault(`open_prompts[${at}].`);
}

function replayedDefaultsAreChoices({ events }: Frame<'history_delta'>): Refusal | undefined {
  const at = events.findIndex((event) => event.type === 'permission_prompt' && defaultsWrongly(event));
  return at < 0 ? undefined : wrongDefault(`events[${at}].`);
}

export const chat = defineProtocol<ChatFrame>({
  noun: 'chat frame',
  maxChars: LIMITS.frame.value,
  refuseWith: 'invalid_message',
  schemas: CHAT_FRAMES,
  checks: chatChecks,
  kindOf,
  adapt: inKnownWords,
  codes: { 'subscribe.sessions': 'invalid_subscription' },
  rules: {
    send_message: sendSaysSomething,
    proxy_status: statusSaysSomething,
    message_delta: deltaHasItsText,
    launch_session: workspaceIsOneLine,
    permission_prompt: promptDefaultIsAChoice,
    connection_ack: openDefaultsAreChoices,
    history_delta: replayedDefaultsAreChoices,
  },
});
