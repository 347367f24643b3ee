import { callSite, readyMap } from '@drawbridge/manifest';
import type { ActionCall } from '@drawbridge/protocol';
import { effectOfStateRead } from '../grants/tool-effect.ts';
import { callDeclared } from './declared-call.ts';
import type { Desk } from './desk.ts';
import { entryOf } from './entry.ts';
import type { PinnedTurn } from './origin-pin.ts';

/** `actions.site`: one tool for everything that a map declares. The bridge has already chosen this runtime. */
export async function callSiteTool(call: ActionCall, desk: Desk, turn: PinnedTurn): Promise<unknown> {
  const { host, extractor, evaluator, clock, gatekeeper } = desk;
  const map = readyMap(desk.map().offer);
  const find = async () => {
    const weight = { effect: effectOfStateRead };
    const permit = await gatekeeper.permit(entryOf(call, weight, desk, turn), turn.cancellation);
    permit.keep?.();
    turn.pin.check();
    return {
      runtime_key: host.runtimeKey,
      map,
      source: { extractor, evaluator, clock },
      call: (name: string, args: Readonly<Record<string, unknown>>) =>
        callDeclared({ ...call, name, arguments: { ...args } }, desk, turn),
    };
  };
  return callSite({ find, snapshots: desk.snapshots }, call.arguments);
}
