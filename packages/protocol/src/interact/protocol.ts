import { interactRequestChecks } from '../generated/interact-request-checks.ts';
import { interactResponseChecks } from '../generated/interact-response-checks.ts';
import { isObject } from '../wire/json-text.ts';
import { LIMITS } from '../wire/limits.ts';
import { defineProtocol, type Refusal } from '../wire/protocol.ts';
import { INTERACT_REQUESTS, type InteractRequest } from './request.ts';
import { INTERACT_RESPONSES, type InteractResponse } from './response.ts';

/** A page must come in some form; which one a mode prefers is for the server to negotiate. */
function showsThePage(request: InteractRequest): Refusal | undefined {
  const { interactiveTree, semanticNodes, dom, skeletonDom, domMode } = request;
  if (domMode === 'full' && dom === undefined) {
    return { path: 'dom', message: 'must be there when domMode is "full"' };
  }
  if ([interactiveTree, semanticNodes, dom, skeletonDom].some((page) => page !== undefined)) return undefined;
  return {
    path: 'interactiveTree',
    message: 'must be there, or semanticNodes, skeletonDom or dom: the page is missing',
  };
}

export const interactRequest = defineProtocol<InteractRequest>({
  noun: 'interact request',
  maxChars: LIMITS.interact_request.value,
  refuseWith: 'invalid_request',
  schemas: INTERACT_REQUESTS,
  checks: interactRequestChecks,
  kindOf: () => 'interact_request',
  rules: [showsThePage],
});

const CONTEXT_STATUSES: readonly unknown[] = ['needs_context', 'needs_full_dom'];

function responseKind({ success, data }: Readonly<Record<string, unknown>>): string | Refusal {
  if (success === false) return 'error';
  if (success === undefined && data === undefined) return 'bare_step';
  return isObject(data) && CONTEXT_STATUSES.includes(data['status']) ? 'needs_context' : 'next_step';
}

export const interactResponse = defineProtocol<InteractResponse>({
  noun: 'interact response',
  maxChars: LIMITS.interact_response.value,
  refuseWith: 'invalid_request',
  schemas: INTERACT_RESPONSES,
  checks: interactResponseChecks,
  kindOf: responseKind,
});
