import { type Asker, BridgeError, type EffectClass, type Withdrawal } from '@drawbridge/protocol';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import { callHash, type ExactCall } from './call-hash.ts';
import { ORDINARY_FORMS } from './form-grants.ts';
import type { Grant, PermitRequest } from './grant.ts';
import type { GrantBook } from './grant-book.ts';
import type { Purpose } from './purpose.ts';
import { dataOf, pressedLine, sentenceOf } from './question.ts';

export interface GatekeeperOptions {
  readonly grants: GrantBook;
  readonly asker: Asker;
  readonly now: () => number;
  readonly newId: () => string;
}

/** One call on its way in. */
export interface Entry extends ExactCall {
  readonly runtime_key: string;
  readonly device?: string;
  readonly effect: EffectClass;
  readonly purpose?: Purpose;
  /** The name of the form that it would send. */
  readonly form?: string;
  /** How long the call may still take: nobody is asked for longer. */
  readonly remainingMs: number;
}

/** What let a call in: its `grant_id` is the authorization the call ran under. */
export type Permit = Pick<Grant, 'grant_id'>;

/** Lets a call in under a grant, or asks a person, or refuses. Fails with `permission_denied`. */
export interface Gatekeeper {
  /** A grant lets it in as it is: nobody would be asked. */
  readonly stands: (entry: Entry) => boolean;
  readonly permit: (entry: Entry, withdrawn: Withdrawal) => Promise<Permit>;
}

export function createGatekeeper({ grants, asker, now, newId }: GatekeeperOptions): Gatekeeper {
  /** Sending a form needs a grant of its own beside the one for acting. */
  const standingFor = (entry: Entry): Permit | undefined => {
    const request = requestOf(entry);
    const { form } = entry;
    if (form !== undefined && grants.find({ ...request, form }) === undefined) return undefined;
    return grants.find(request);
  };
  return {
    stands: (entry) => standingFor(entry) !== undefined,
    async permit(entry, withdrawn) {
      const { origin, name, effect } = entry;
      const standing = standingFor(entry);
      if (standing !== undefined) return standing;
      const call_hash = await callHash(entry);
      const answer = await asker.ask(
        {
          question_id: newId(),
          runtime_id: entry.runtime_id,
          call_id: entry.call_id,
          origin,
          name,
          effect,
          sentence: sentenceOf(name, origin, effect, entry.purpose),
          data: [
            ...(entry.form === undefined ? [] : [pressedLine(entry.purpose)]),
            ...dataOf(entry.arguments, entry.purpose),
          ],
          call_hash,
          expires_at: now() + entry.remainingMs,
        },
        withdrawn,
      );
      if (answer.decision === 'deny' || answer.call_hash !== call_hash) {
        const bound = answer.call_hash === call_hash;
        throw refused(
          entry,
          bound && answer.decision === 'deny' ? answer.reason : 'the answer was for another call',
        );
      }
      if (!mayStand(entry)) return { grant_id: newId() };
      const { form, runtime_key } = entry;
      const { by } = answer;
      if (answer.decision === 'once') {
        if (form === undefined) return { grant_id: newId() };
        // One question for each form: the tab remembers the answer for as long as it is lent.
        return grants.add({ origin, runtime_key, covers: { name: form, effect }, by });
      }
      const { until } = answer;
      const covers = { name: form === undefined ? name : ORDINARY_FORMS, effect };
      return grants.add({ origin, covers, by, ...(until !== undefined && { expires_at: until }) });
    },
  };
}

/**
 * One press that cannot be undone says nothing about the next: a primitive is never permitted for good at that
 * weight, and nothing is where a page has no origin of its own.
 */
function mayStand({ name, effect, origin }: Entry): boolean {
  return origin !== 'null' && !(effect === 'irreversible' && primitiveByName(name) !== undefined);
}

function requestOf({ origin, runtime_key, device, name, effect }: Entry): PermitRequest {
  return { origin, runtime_key, name, effect, ...(device && { device }) };
}

function refused({ name, origin, effect }: Entry, reason: string | undefined): BridgeError {
  const why = reason?.replace(/\.$/, '') ?? 'a person refused it';
  return new BridgeError(
    'permission_denied',
    `${name} was not permitted at ${origin}: ${why}. Ask the person for it, or go on without.`,
    { evidence: { name, origin, effect, reason: why } },
  );
}
