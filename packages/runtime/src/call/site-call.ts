import { callSite, readyMap } from '@drawbridge/manifest';
import type { ActionCall } from '@drawbridge/protocol';
import { effectOfStateRead } from '../grants/tool-effect.ts';
import type { CallContext, PinnedDeadline } from './call-context.ts';
import { entryOf } from './call-context.ts';
import { callDeclared } from './declared-call.ts';

/** `actions.site`: one tool for everything that a map declares. The bridge has already chosen this runtime. */
export async function callSiteTool(
  call: ActionCall,
  callContext: CallContext,
  deadline: PinnedDeadline,
): Promise<unknown> {
  const { host, extractor, evaluator, clock, gatekeeper } = callContext;
  const map = readyMap(callContext.map().offer);
  const find = async () => {
    const classified = { effect: effectOfStateRead };
    const permit = await gatekeeper.permit(entryOf(call, classified, callContext, deadline), deadline.signal);
    permit.storeGrant?.();
    deadline.pin.check();
    return {
      runtime_key: host.runtimeKey,
      map,
      source: { extractor, evaluator, clock },
      call: (name: string, args: Readonly<Record<string, unknown>>) =>
        callDeclared({ ...call, name, arguments: { ...args } }, callContext, deadline),
    };
  };
  return callSite({ find, snapshots: callContext.snapshots }, call.arguments);
}
