import { interactRequestChecks } from '../generated/interact-request-checks.ts';
import { interactResponseChecks } from '../generated/interact-response-checks.ts';
import { sessionChecks } from '../generated/session-checks.ts';
import { isObject } from '../wire/json-text.ts';
import { LIMITS } from '../wire/limits.ts';
import { defineProtocol, type Refusal } from '../wire/protocol.ts';
import { INTERACT_REQUESTS, type InteractRequest } from './request.ts';
import { INTERACT_RESPONSES, type InteractResponse } from './response.ts';
import {
  type NewMessage,
  SESSION_MESSAGES,
  type SessionFound,
  type SessionMessages,
  type SessionRename,
} from './session.ts';

const missing = (path: string, message: string): Refusal => ({ path, message: `must be there: ${message}` });

/** A page is required, in the form of its mode. */
function showsThePage(request: InteractRequest) {
  const { interactiveTree, semanticNodes, dom, skeletonDom, domMode } = request;
  if (request.taskType === 'chat_only') return undefined;
  const semantic = interactiveTree ?? semanticNodes;
  switch (domMode) {
    case 'full':
      return (dom ?? '') === '' ? missing('dom', 'domMode is "full"') : undefined;
    case 'skeleton':
    case 'hybrid':
      return (skeletonDom ?? dom) === undefined
        ? missing('skeletonDom', `domMode is "${domMode}"`)
        : undefined;
    case 'semantic':
      return (semantic ?? dom) === undefined
        ? missing('interactiveTree', 'domMode is "semantic"')
        : undefined;
    default:
      return (semantic ?? skeletonDom ?? dom) === undefined
        ? missing('interactiveTree', 'or semanticNodes, skeletonDom or dom, to show the page')
        : undefined;
  }
}

/** INT-324: a question about a file, or one that names itself a chat, needs no page. */
function withoutPage(_kind: string, message: Readonly<Record<string, unknown>>): object {
  const { url = '', attachment, taskType } = message;
  const isChat = url === '' && (attachment !== undefined || taskType === 'chat_only');
  return isChat ? { ...message, url: 'about:blank', taskType: 'chat_only' } : message;
}

export const interactRequest = defineProtocol<InteractRequest>({
  noun: 'interact request',
  maxChars: LIMITS.interact_request.value,
  refuseWith: 'invalid_request',
  schemas: INTERACT_REQUESTS,
  checks: interactRequestChecks,
  kindOf: () => 'interact_request',
  adapt: withoutPage,
  rules: { interact_request: showsThePage },
});

/** Statuses without a required thought and action. */
const ASKING_KINDS = new Map<unknown, string>([
  ['needs_context', 'needs_context'],
  ['needs_full_dom', 'needs_context'],
  ['needs_user_input', 'needs_user_input'],
]);

function responseKind({ success, data }: Readonly<Record<string, unknown>>): string {
  if (success === false) return 'error';
  if (success === undefined && data === undefined) return 'bare_step';
  return (isObject(data) ? ASKING_KINDS.get(data['status']) : undefined) ?? 'next_step';
}

export const interactResponse = defineProtocol<InteractResponse>({
  noun: 'interact response',
  maxChars: LIMITS.interact_response.value,
  refuseWith: 'invalid_request',
  schemas: INTERACT_RESPONSES,
  checks: interactResponseChecks,
  kindOf: responseKind,
});

const body = <Message>(kind: keyof typeof SESSION_MESSAGES, noun: string) =>
  defineProtocol<Message>({
    noun,
    maxChars: LIMITS.frame.value,
    refuseWith: 'invalid_request',
    schemas: { [kind]: SESSION_MESSAGES[kind] },
    checks: sessionChecks,
    kindOf: () => kind,
  });

export const sessionFound = body<SessionFound>('session_found', 'session answer');
export const sessionRename = body<SessionRename>('session_rename', 'rename request');
export const sessionMessages = body<SessionMessages>('session_messages', 'message list');
export const newMessage = body<NewMessage>('new_message', 'pushed message');
