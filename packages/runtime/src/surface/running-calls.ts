import { type ActionCall, BridgeError, type BridgeItem } from '@drawbridge/protocol';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import { answerCall, errorItem, type Receipt } from '../call/answer-call.ts';
import { type CallContext, pinOrigin } from '../call/call-context.ts';
import { isHeardByPage } from '../call/held-forms.ts';
import { effectOfTool } from '../grants/tool-effect.ts';
import { type MapChoice, trustOf } from '../maps/map-source.ts';
import type { Acting } from './acting.ts';

export interface RunningCallsOptions {
  readonly callContext: CallContext;
  readonly acting: Acting;
  readonly send: (item: BridgeItem) => void;
  /** Called when the page may have changed. */
  readonly afterActing: () => void;
}

/** Calls without an answer. */
export function createRunningCalls(options: RunningCallsOptions) {
  const { callContext, acting, send, afterActing } = options;
  const running = new Map<
    string,
    { readonly cancel: (reason?: BridgeError) => void; readonly done: Promise<void> }
  >();

  async function answer(call: ActionCall, signal: AbortSignal, receipt: Receipt): Promise<void> {
    const looks = looksOnly(call.name, callContext.map());
    const answering = () => answerCall(call, callContext, signal, receipt);
    try {
      send(await (looks ? answering() : acting.inTurn(answering, call.call_id)));
    } finally {
      running.delete(call.call_id);
    }
    if (!looks) afterActing();
  }

  return {
    take(call: ActionCall): void {
      const { call_id, name } = call;
      if (running.has(call_id)) {
        const error = new BridgeError('invalid_input', `The call ${call_id} is already running here.`);
        send(errorItem(error, { runtime_id: callContext.runtimeId }));
        return;
      }
      const stopping = new AbortController();
      const receipt = { pin: pinOrigin(callContext.host, name), receivedAt: callContext.clock.now() };
      running.set(call_id, {
        cancel: (reason) => stopping.abort(reason),
        done: answer(call, stopping.signal, receipt),
      });
    },
    cancel: (callId: string): void => running.get(callId)?.cancel(),
    /** Cancels all and waits for their answers. */
    async end(reason?: BridgeError): Promise<void> {
      for (const { cancel } of running.values()) cancel(reason);
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

/** Reads do not queue, unless they scroll: the end of their hold of forms would end that of an act. */
function looksOnly(name: string, choice: MapChoice): boolean {
  const primitive = primitiveByName(name);
  if (primitive !== undefined) return primitive.effect === 'read' && !isHeardByPage(primitive);
  const tool = choice.offer.ready ? choice.offer.map.tools.find((one) => one.name === name) : undefined;
  return (
    tool !== undefined && effectOfTool(tool, trustOf(choice, name)) === 'read' && tool.workflow === undefined
  );
}
