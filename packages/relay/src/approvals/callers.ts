import { RecentMap } from '@drawbridge/base';
import type { Asker } from '@drawbridge/protocol';
import type { CallQuota } from '../server/quotas/call-quota.ts';

/** Which device made a pending call, so that its question says who asks. */
export interface Callers {
  readonly watching: (calls: CallQuota) => CallQuota;
  readonly deviceOf: (call_id: string) => string | undefined;
  readonly naming: (asker: Asker, labelOf: (device_id: string) => Promise<string | undefined>) => Asker;
}

/** Above the calls that all devices may have pending; evicts the oldest if a connection loses its answers. */
const MAX_CALLS = 10_000;

export function createCallers(): Callers {
  const devices = new RecentMap<string, string>(MAX_CALLS);
  return {
    watching: (calls) => ({
      problem(device_id, call) {
        const problem = calls.problem(device_id, call);
        if (problem === undefined) devices.set(call.call_id, device_id);
        return problem;
      },
      answered(device_id, call_id, output, error) {
        devices.delete(call_id);
        calls.answered(device_id, call_id, output, error);
      },
    }),
    deviceOf: (call_id) => devices.get(call_id),
    naming: (asker, labelOf) => ({
      async ask(question, withdrawn) {
        const device_id = devices.get(question.call_id);
        const asked_by = device_id && (await labelOf(device_id));
        return asker.ask({ ...question, ...(asked_by && { asked_by }) }, withdrawn);
      },
    }),
  };
}
