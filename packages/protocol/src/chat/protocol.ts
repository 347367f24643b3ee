import { chatChecks } from '../generated/chat-checks.ts';
import { LIMITS } from '../wire/limits.ts';
import { defineProtocol, kindFrom, type Refusal } from '../wire/protocol.ts';
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

function defaultIsAChoice(frame: ChatFrame): Refusal | undefined {
  if (frame.type !== 'permission_prompt' || frame.default_choice === undefined) return undefined;
  if (frame.choices.some((choice) => choice.choice_id === frame.default_choice)) return undefined;
  return { path: 'default_choice', message: 'must be the choice_id of one of the choices' };
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
