import { RecentMap } from '@drawbridge/base';
import {
  type Asker,
  BridgeError,
  type EffectClass,
  plainLine,
  type Question,
  siteName,
} from '@drawbridge/protocol';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import { callHash, type ExactCall } from './call-hash.ts';
import type { ElementContext } from './element-context.ts';
import { isOrdinary, ORDINARY_FORMS } from './form-grants.ts';
import { type Grant, type GrantBook, isReservedName } from './grant-book.ts';
import { changesSince, dataOf, pressedLine, sentenceOf, shownOf } from './question.ts';

export interface GatekeeperOptions {
  readonly grants: GrantBook;
  readonly asker: Asker;
  readonly now: () => number;
  readonly newId: () => string;
}

const MAX_TITLE_CHARS = 120;
const MAX_ALLOWED = 100;

/** A call that asks for permission. */
export interface PermissionRequest extends ExactCall {
  readonly runtime_key: string;
  readonly device?: string;
  readonly effect: EffectClass;
  readonly elementContext?: ElementContext;
  readonly page?: NonNullable<Question['page']>;
  /** Path of the tab's page: another page with the same form is no other version of it. */
  readonly path?: string;
  /** Set when the page changed after an earlier approval of this call. */
  readonly changed?: NonNullable<Question['changed']>;
  /** Grant name of the form that the call would send. */
  readonly form?: string;
  /** Time left for the call; a question expires with it. */
  readonly remainingMs: number;
}

/** The permission of a call; its `grant_id` is the authorization that the call ran under. */
export interface Permit extends Pick<Grant, 'grant_id'> {
  /** Stores a lasting grant, once the page is known to be as it was shown. */
  readonly storeGrant?: () => void;
}

/** Lets a call in under a grant, or asks a person, or refuses. Fails with `permission_denied`. */
export type Gatekeeper = ReturnType<typeof createGatekeeper>;

export function createGatekeeper({ grants, asker, now, newId }: GatekeeperOptions) {
  /** Forms as they were last allowed: a question about other values shows both. */
  const allowed = new RecentMap<string, ElementContext>(MAX_ALLOWED);
  /** Sending a form needs a separate grant besides the one for acting. */
  const standingFor = (entry: PermissionRequest): Permit | undefined => {
    const { form, ...request } = entry;
    if (form !== undefined && grants.find({ ...request, form }) === undefined) return undefined;
    return grants.find(request);
  };
  return {
    /** Whether a grant covers the call without a question. */
    hasGrant: (entry: PermissionRequest): boolean => standingFor(entry) !== undefined,
    async permit(entry: PermissionRequest, withdrawn: AbortSignal): Promise<Permit> {
      const { origin, name, effect, elementContext, page, form, changed } = entry;
      const standing = standingFor(entry);
      // A page that changed after an approval is asked about again, even when that approval covers it.
      if (standing !== undefined && changed === undefined) return standing;
      const form_key = formKeyOf(entry);
      const since = changed ?? changesSince(allowed.get(form_key ?? ''), elementContext);
      const shown = [elementContext?.content, elementContext?.covered?.token];
      const call_hash = await callHash({ ...entry, content: shown });
      const answer = await asker.ask(
        {
          question_id: newId(),
          runtime_id: entry.runtime_id,
          call_id: entry.call_id,
          origin,
          name,
          effect,
          sentence: sentenceOf(name, origin, effect, elementContext),
          data: [
            ...(form === undefined ? [] : [pressedLine(elementContext)]),
            ...dataOf(entry.arguments, elementContext),
          ],
          ...(page && { page: { ...page, title: plainLine(page.title, MAX_TITLE_CHARS) } }),
          ...shownOf(elementContext?.content, elementContext?.label),
          ...(since && { changed: since }),
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
      const { by } = answer;
      const remember = () => {
        if (form_key !== undefined && elementContext !== undefined) allowed.set(form_key, elementContext);
      };
      if (effect === 'read' && answer.decision === 'once' && mayHaveGrant(entry)) {
        // Reading is asked about once for each site, while the tab is lent (BRG-201).
        const { runtime_key } = entry;
        const storeGrant = () => void grants.add({ origin, runtime_key, covers: { effect }, by });
        return { grant_id: newId(), storeGrant };
      }
      if (!mayHaveGrant(entry) || (answer.decision === 'once' && form === undefined))
        return { grant_id: newId(), storeGrant: remember };
      if (answer.decision === 'once' || (form !== undefined && !isOrdinary(form))) {
        // One question for each form: the tab remembers the answer for as long as it is lent.
        const { runtime_key } = entry;
        const covers = { name: form ?? name, effect };
        const storeGrant = () => {
          remember();
          grants.add({ origin, runtime_key, covers, by });
        };
        return { grant_id: newId(), storeGrant };
      }
      const { until } = answer;
      const covers = { name: form === undefined ? name : ORDINARY_FORMS, effect };
      const storeGrant = () => {
        remember();
        grants.add({ origin, covers, by, ...(until !== undefined && { expires_at: until }) });
      };
      return { grant_id: newId(), storeGrant };
    },
  };
}

/** The same for the same form of the same page, whatever is in it; undefined for what sends none. */
function formKeyOf({ runtime_key, origin, path, elementContext }: PermissionRequest): string | undefined {
  const { url, method } = elementContext?.content ?? {};
  if (url === undefined || method === undefined || !method.startsWith('post')) return undefined;
  return JSON.stringify([runtime_key, origin, path, url.replace(/[?#].*/, '')]);
}

/** An irreversible primitive gets no lasting grant, nor a page with an opaque origin, nor a tool with a reserved name. */
function mayHaveGrant({ name, effect, origin }: PermissionRequest): boolean {
  if (isReservedName(name)) return false;
  return origin !== 'null' && !(effect === 'irreversible' && primitiveByName(name) !== undefined);
}

function refused({ name, origin, effect }: PermissionRequest, reason: string | undefined): BridgeError {
  const why = reason?.replace(/\.$/, '') ?? 'a person refused it';
  return new BridgeError(
    'permission_denied',
    `${name} was not permitted at ${siteName(origin)}: ${why}. Ask the person for it, or go on without.`,
    { evidence: { name, origin, effect, reason: why } },
  );
}
