import {
  type ActionError,
  BridgeError,
  type BridgeErrorDetails,
  type BridgeFeature,
  type BridgeItem,
  type ErrorCode,
  withoutStack,
} from '@drawbridge/protocol';
import { errorItem } from './error-item.ts';
import type { UnreadItem } from './item-reader.ts';
import { MAX_STATUS_CHARS } from './options.ts';

/** Supported features beyond the protocol, as sent to a peer that asks. */
export const TAKEN_FROM_RUNTIMES: readonly BridgeFeature[] = [
  'action_progress',
  'runtime_probe',
  'questions',
  'grants',
];
export const TAKEN_FROM_AGENTS: readonly BridgeFeature[] = ['action_cancel'];

/** The answer to an unreadable item (BRG-72). Errors are never answered, as two peers could loop forever. */
export function unreadable({ error, type, call_id }: UnreadItem): ActionError | undefined {
  return type === 'action_error' ? undefined : errorItem(error, { call_id });
}

/** The answer to an item that its sender's role may not send (BRG-114). */
export function notForRole(role: 'runtime' | 'agent', item: BridgeItem): ActionError | undefined {
  if (item.type === 'action_error') return undefined;
  const next = role === 'agent' ? 'Connect as a runtime to do that.' : 'Connect as an agent to do that.';
  const error = refusal(
    'permission_denied',
    `This connection is ${ROLES[role]} and may not send ${item.type}. ${next}`,
    {
      evidence: { type: item.type, role },
    },
  );
  return errorItem(error, item.type === 'action_call' ? { call_id: item.call_id } : {});
}

const ROLES = { agent: "an agent's", runtime: "a runtime's" } as const;

/** The answer to an item about a runtime that its connection has not announced (BRG-37). */
export function notAnnounced({ type, runtime_id }: { type: string; runtime_id: string }): ActionError {
  const error = refusal(
    'runtime_not_ready',
    `This connection has announced no runtime ${runtime_id}, so its ${type} was left aside. Send runtime_ready first.`,
    { evidence: { type } },
  );
  return errorItem(error, { runtime_id });
}

/** The answer to an item that needs a feature which its sender did not name. */
export function notNamed(feature: BridgeFeature, item: { type: string; runtime_id: string }): ActionError {
  const { type, runtime_id } = item;
  const error = refusal(
    'permission_denied',
    `Runtime ${runtime_id} did not name ${feature}, so its ${type} was left aside. List it in the features of runtime_ready.`,
    { evidence: { type, feature } },
  );
  return errorItem(error, { runtime_id });
}

const WHY_NOT = {
  taken: 'Another owner holds this runtime_id. Announce the surface under another id.',
  'too many': 'This connection has announced as many runtimes as it may. Close one first.',
  'too many of a device': 'This device lends as many tabs as it may (limit runtimes). Close one first.',
  'too large': 'The maps of this device are too large together (limit map_bytes). Announce a smaller one.',
} as const;

/** The answer to a status that makes the merged one too large. */
export function statusTooLarge(runtime_id: string): ActionError {
  const message = `The status of runtime ${runtime_id} is too large (limit ${MAX_STATUS_CHARS} characters) and was left aside.`;
  return errorItem(refusal('permission_denied', message), { runtime_id });
}

export function notAdmitted(runtime_id: string, why: keyof typeof WHY_NOT): ActionError {
  const error = refusal('permission_denied', WHY_NOT[why], { evidence: { reason: why } });
  return errorItem(error, { runtime_id });
}

const refusal = (code: ErrorCode, message: string, details?: BridgeErrorDetails): BridgeError =>
  withoutStack(() => new BridgeError(code, message, details));
