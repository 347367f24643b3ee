import { type ActionCall, type Asker, BridgeError } from '@drawbridge/protocol';
import { type ControlPlane, relayAddressRefused } from '../address/control-plane.ts';
import { closedFrameOf, type LocalNetwork } from '../address/local-network.ts';
import { callHash } from '../grants/call-hash.ts';
import type { Deadline } from './deadline.ts';

export interface AddressGateOptions {
  readonly runtimeId: string;
  readonly asker: Asker;
  readonly now: () => number;
  readonly newId: () => string;
  readonly controlPlane?: ControlPlane | undefined;
  /** Absent where the page's owner lends it: nobody is asked about private addresses. */
  readonly localNetwork?: LocalNetwork | undefined;
}

/** Decides whether a call may go to an address and be answered from it. No grant overrides the refusal. */
export type AddressGate = ReturnType<typeof createAddressGate>;

export function createAddressGate(options: AddressGateOptions) {
  const { runtimeId, asker, now, newId, controlPlane, localNetwork } = options;
  /** Most calls use the same address as the call before. */
  let passed: string | undefined;
  controlPlane?.onChange(() => {
    passed = undefined;
  });

  const ask = async (url: string, call: ActionCall, deadline: Deadline): Promise<void> => {
    const { call_id, name } = call;
    const { origin } = new URL(url);
    deadline.doing('waiting for permission');
    const call_hash = await callHash({ ...call, runtime_id: runtimeId, origin });
    const question = {
      kind: 'address' as const,
      question_id: newId(),
      runtime_id: runtimeId,
      ...{ call_id, origin, name, call_hash },
      effect: 'act' as const,
      sentence: `${name} at ${origin}, an address in your own network`,
      data: [`address: ${origin}`, 'a yes counts for this address until the browser is closed'],
      expires_at: now() + deadline.remainingMs(),
    };
    const answer = await asker.ask(question, deadline.signal);
    if (answer.decision === 'deny' || answer.call_hash !== call_hash) throw notOpened(name, origin);
    localNetwork?.open(url);
  };

  return {
    /** Undefined when the call may proceed at once. Fails with `permission_denied`. */
    require(url: string, call: ActionCall, deadline: Deadline): Promise<void> | undefined {
      if (url !== passed && controlPlane?.has(url) === true) return Promise.reject(relayAddressRefused());
      passed = url;
      // Checked on every call: a name may turn out to be private when it is loaded.
      return localNetwork?.isOpen(url) === false ? ask(url, call, deadline) : undefined;
    },
    /** Asks about the closed frame at which a call failed. Rethrows any other error. */
    async requireIframe(error: unknown, call: ActionCall, deadline: Deadline): Promise<void> {
      const origin = closedFrameOf(error);
      if (origin === undefined || localNetwork === undefined) throw error;
      if (!localNetwork.isOpen(origin)) await ask(origin, call, deadline);
    },
  };
}

function notOpened(name: string, origin: string): BridgeError {
  const message = `${name} was not permitted at ${origin}, which is in the person’s own network. Ask the person for it, or go on elsewhere.`;
  return new BridgeError('permission_denied', message, {
    evidence: { reason: 'local_network', name, origin },
  });
}
