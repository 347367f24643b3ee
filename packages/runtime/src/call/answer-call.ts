import { SITE_TOOL } from '@drawbridge/manifest';
import {
  type ActionCall,
  type ActionCallOutput,
  type ActionError,
  BridgeError,
  LIMITS,
} from '@drawbridge/protocol';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import { DocumentLeft } from '../host.ts';
import type { CallContext, OriginPin, PinnedDeadline } from './call-context.ts';
import { callScope } from './call-scope.ts';
import { withDeadline } from './deadline.ts';
import { callDeclared } from './declared-call.ts';
import { fillByHand, handsOf } from './fill-by-hand.ts';
import { callOnePrimitive } from './primitive-call.ts';
import { callSiteTool } from './site-call.ts';

/** Where and when a call came in. A navigation while the call waits in the queue does not change it. */
export interface Receipt {
  readonly pin: OriginPin;
  readonly receivedAt: number;
}

export const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Answers one call: known → arguments → grant → required state → run → result → answer. The first step that
 * fails decides the error, and there is always exactly one answer.
 */
export async function answerCall(
  call: ActionCall,
  callContext: CallContext,
  signal: AbortSignal,
  { pin, receivedAt }: Receipt,
): Promise<ActionCallOutput | ActionError> {
  const { call_id } = call;
  const { clock } = callContext;
  try {
    const leftMs = (call.timeout_ms ?? DEFAULT_TIMEOUT_MS) - (clock.now() - receivedAt);
    const output = await withDeadline(leftMs, clock, signal, async (time) => {
      const deadline = { ...time, pin };
      const scope = callScope(call);
      scope.require(callContext.host.surface().url);
      if (ABOUT_TABS.has(call.name)) return perform(call, callContext, deadline);
      const permitted = callContext.addresses.require(callContext.host.surface().url, call, deadline);
      if (permitted !== undefined) await permitted;
      const done = await perform(call, callContext, deadline);
      // The call may have navigated, and its answer is then about the new page.
      scope.require(callContext.host.surface().url);
      await callContext.addresses.require(callContext.host.surface().url, call, deadline);
      return done;
    });
    return withinFrameLimit({
      type: 'action_call_output',
      call_id,
      runtime_id: callContext.runtimeId,
      output: output ?? null,
    });
  } catch (error) {
    return errorItem(error, { call_id, runtime_id: callContext.runtimeId });
  }
}

/** Their answers hold nothing of the current page; their handlers check the address they go to. */
const ABOUT_TABS: ReadonlySet<string> = new Set([
  'browser.navigate',
  'browser.open_tab',
  'browser.close_tab',
  'browser.claimed_tabs.list',
  'browser.claimed_tabs.activate',
]);

async function perform(
  call: ActionCall,
  callContext: CallContext,
  deadline: PinnedDeadline,
): Promise<unknown> {
  // A map cannot redefine the name of a primitive.
  const primitive = primitiveByName(call.name);
  if (primitive?.name === 'element.fill') {
    const run = (name: string, args: ActionCall['arguments']) => {
      const part = primitiveByName(name) ?? primitive;
      return callOnePrimitive({ ...call, name, arguments: args }, part, callContext, deadline);
    };
    return fillByHand(call.arguments, handsOf(callContext.host, deadline.pin.origin, run));
  }
  if (primitive !== undefined) return callOnePrimitive(call, primitive, callContext, deadline);
  deadline.doing('waiting for the map of this page');
  await callContext.loaded();
  return call.name === SITE_TOOL.name
    ? callSiteTool(call, callContext, deadline)
    : callDeclared(call, callContext, deadline);
}

/** An error as an item, about a call or about the runtime. Errors other than BridgeError are reported by kind only. */
export function errorItem(
  error: unknown,
  about: { readonly call_id?: string; readonly runtime_id: string },
): ActionError {
  return { type: 'action_error', ...about, error: asBridgeError(error).toJSON() };
}

function asBridgeError(error: unknown): BridgeError {
  if (error instanceof BridgeError) return error;
  if (error instanceof DocumentLeft) {
    const message = 'The page navigated before anything was done. Look at the new page, then call again.';
    return new BridgeError('state_mismatch', message, { evidence: { reason: 'document_left' } });
  }
  const kind = error instanceof Error ? error.name : typeof error;
  return new BridgeError(
    'handler_failed',
    `The runtime failed unexpectedly (${kind}). Look at the page, then try once more.`,
    { cause: error, evidence: { kind } },
  );
}

/** Replaces an answer that is too large for the wire with an error that says what to ask for. */
function withinFrameLimit(item: ActionCallOutput): ActionCallOutput {
  const chars = JSON.stringify(item).length;
  if (chars <= LIMITS.frame.value) return item;
  throw new BridgeError(
    'invalid_result',
    `The output has ${chars} characters, and a frame holds ${LIMITS.frame.value}. Ask for less: a budget, a region, a query.`,
    { evidence: { chars, limit: LIMITS.frame.value } },
  );
}
