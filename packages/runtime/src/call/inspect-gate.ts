import { type ActionCall, type Asker, BridgeError, quotedLine } from '@drawbridge/protocol';
import { callHash } from '../grants/call-hash.ts';
import type { Grant, GrantBook } from '../grants/grant-book.ts';
import type { PinnedDeadline } from './call-context.ts';

/** Grant names: developer tools, and the value of one cookie or storage key. */
const INSPECT = 'inspect';
const grantFor = (key: string): string => `${INSPECT} ${key}`;

export interface InspectGateOptions {
  readonly runtimeId: string;
  readonly runtimeKey: string;
  readonly grants: GrantBook;
  readonly asker: Asker;
  readonly now: () => number;
  readonly newId: () => string;
}

/** Developer tools are off until a person turns them on, for a site and for each storage value (BRG-189). */
export type InspectGate = ReturnType<typeof createInspectGate>;

/** A person turned them on for every page, with these storage keys, when they started the browser. */
export function allowInspection(
  grants: Pick<GrantBook, 'add'>,
  keys: readonly string[],
  by: string,
): readonly Grant[] {
  return [INSPECT, ...keys.map(grantFor)].map((name) =>
    grants.add({ origin: '*', covers: { name, effect: 'read' }, by }),
  );
}

export function createInspectGate(options: InspectGateOptions) {
  const { runtimeId, runtimeKey, grants, asker, now, newId } = options;
  const has = (name: string, origin: string) =>
    grants
      .list()
      .some(
        (grant) =>
          'name' in grant.covers &&
          grant.covers.name === name &&
          grant.covers.effect === 'read' &&
          (grant.origin === '*' || grant.origin === origin) &&
          (grant.runtime_key ?? runtimeKey) === runtimeKey,
      );
  return {
    isOn: (origin: string): boolean => has(INSPECT, origin),
    /**
     * Asks for what no grant covers. Fails with `permission_denied`. The result is true for the page's own origin
     * and others that are turned on: a frame of another site is not covered by a yes at the page (BRG-198).
     */
    async require(
      keys: readonly string[],
      call: ActionCall,
      deadline: PinnedDeadline,
    ): Promise<(origin: string) => boolean> {
      const { origin } = deadline.pin;
      const names = [INSPECT, ...keys.map(grantFor)].filter((name) => !has(name, origin));
      const mayShow = (each: string) => each === origin || has(INSPECT, each);
      if (names.length === 0) return mayShow;
      const values = keys.filter((key) => names.includes(grantFor(key)));
      deadline.doing('waiting for permission');
      const call_hash = await callHash({ ...call, runtime_id: runtimeId, origin });
      const answer = await asker.ask(
        {
          ...{ question_id: newId(), runtime_id: runtimeId, call_id: call.call_id, call_hash },
          ...{ origin, name: INSPECT, effect: 'read' as const },
          sentence: names.includes(INSPECT)
            ? `Let the agent use developer tools at ${origin}: console, requests and their answers, and the names of cookies and storage keys`
            : `Let the agent read values that ${origin} stored in this browser`,
          data: [
            ...values.map((key) => `value of: ${quotedLine(key, 80)}`),
            'a yes counts for this site while the tab is lent',
          ],
          expires_at: now() + deadline.remainingMs(),
        },
        deadline.signal,
      );
      if (answer.decision === 'deny' || answer.call_hash !== call_hash)
        throw refused(origin, answer.decision === 'deny' ? answer.reason : undefined);
      deadline.pin.check();
      // Pages without an address all have the same origin.
      if (origin === 'null') return mayShow;
      const lasting = answer.decision === 'always';
      for (const name of names)
        grants.add({
          ...{ origin, covers: { name, effect: 'read' }, by: answer.by },
          ...(!lasting && { runtime_key: runtimeKey }),
          ...(lasting && answer.until !== undefined && { expires_at: answer.until }),
        });
      return mayShow;
    },
  };
}

function refused(origin: string, reason = 'a person refused it'): BridgeError {
  const why = reason.replace(/\.$/, '');
  const message = `inspect was not permitted at ${origin}: ${why}. The person turns it on with --inspect when they start drawbridge, or by saying yes.`;
  return new BridgeError('permission_denied', message, { evidence: { name: INSPECT, origin, reason: why } });
}
