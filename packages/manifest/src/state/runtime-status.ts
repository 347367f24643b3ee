import type { RuntimeStatus } from '@drawbridge/protocol';
import { currentStates, type Diagnoses } from './diagnosis.ts';

export interface StatusFacts {
  readonly runtimeId: string;
  readonly url: string;
  readonly now: number;
  readonly attachments?: readonly { readonly id: string; readonly state: string }[];
}

/** The bridge item for a diagnosis. */
export function runtimeStatus(diagnoses: Diagnoses, facts: StatusFacts): RuntimeStatus {
  return {
    type: 'runtime_status',
    runtime_id: facts.runtimeId,
    url: facts.url,
    states: [...currentStates(diagnoses)],
    ...(facts.attachments === undefined ? {} : { attachments: [...facts.attachments] }),
    observed_at: new Date(facts.now).toISOString(),
  };
}
