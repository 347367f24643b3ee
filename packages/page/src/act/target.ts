import { identityOf, isLive } from '../heal/identity.ts';
import { bestMatch, isSameElement, type Scored } from '../heal/match.ts';
import type { Remembered } from '../heal/remembered.ts';
import { type Candidate, candidatesFor } from '../heal/search.ts';
import { findSurroundings } from '../heal/surroundings.ts';
import type { PageError } from '../locate/page-error.ts';
import { fullNameOf, isGuessedName, NAME_LIMIT } from '../perceive/accessible-name.ts';
import { roleOf, shortRole } from '../perceive/role.ts';
import { cutText } from '../perceive/text.ts';
import type { ActionContext } from './action-context.ts';
import { refusal } from './refusal.ts';

/** The element that replaced a missing one, with its confidence. */
export interface Healed {
  readonly from: string;
  readonly to: string;
  readonly confidence: number;
  readonly why: 'detached' | 'changed_identity';
}

export interface Target {
  readonly id: string;
  readonly element: Element;
  readonly healed?: Healed;
}

/** The element of an id, unchanged since the agent saw it; else a refusal. */
export function resolveTarget(id: string, context: ActionContext): Target {
  const { registry } = context;
  const element = registry.elementOf(id);
  const remembered = registry.fingerprintOf(id);
  const identity = identityOf(element, remembered);
  if (identity === 'same' && element !== undefined && !mayBeDouble(element, remembered, context))
    return { id, element };
  if (remembered === undefined) throw unknownTarget(id, element !== undefined);
  return heal(id, remembered, identity === 'detached' ? 'detached' : 'changed_identity', context);
}

/**
 * The node looks unchanged. But it was unique, its text was rewritten since, and now there are two: a
 * recycled node may show the other one.
 */
function mayBeDouble(element: Element, remembered: Remembered | undefined, context: ActionContext): boolean {
  const { watch, registry } = context;
  if (remembered?.seenAt === undefined) return false;
  const label = findSurroundings(element)?.source;
  const touched = Math.max(watch.lastTouch(element), label === undefined ? 0 : watch.lastTouch(label));
  if (touched <= remembered.seenAt || !registry.isAlone(remembered)) return false;
  return candidatesFor(remembered, context).filter(({ now }) => isSameElement(remembered, now)).length > 1;
}

function unknownTarget(id: string, wasKnown: boolean): PageError {
  const [reason, message] = wasKnown
    ? (['detached', 'The element has left the page.'] as const)
    : (['unknown_id', 'No element was ever given this id.'] as const);
  return refusal('target_not_found', reason, `${message} Take a new snapshot.`, { id });
}

function heal(id: string, remembered: Remembered, why: Healed['why'], context: ActionContext): Target {
  const { registry } = context;
  const candidates = candidatesFor(remembered, context);
  const match = bestMatch(remembered, candidates, registry.isAlone(remembered));
  if (match.kind === 'found') {
    const { element } = match.candidate;
    const to = registry.idOf(element);
    registry.remember(to, match.candidate.now);
    return { id: to, element, healed: { from: id, to, confidence: match.confidence, why } };
  }
  const was = `${shortRole(remembered.role)} '${context.watch.secrets.clean(remembered.name)}'`;
  const evidence = {
    id,
    was,
    candidates: match.seen.slice(0, 5).map((scored) => candidateData(scored, context)),
  };
  if (match.kind === 'tie') {
    const message = `${was} has changed, and several elements could be it. Take a new snapshot.`;
    throw refusal('target_not_found', 'ambiguous', message, evidence);
  }
  if (why === 'detached') {
    const message = `${was} has left the page, and nothing like it is there. Take a new snapshot.`;
    throw refusal('target_not_found', 'detached', message, evidence);
  }
  const element = registry.elementOf(id);
  const now = element === undefined ? '' : describe(element, context);
  const message =
    was === now
      ? `${was} has another text around it than when you saw it: nothing was done. Take a new snapshot.`
      : `The element was ${was} and is now ${now}: nothing was done. Take a new snapshot.`;
  throw refusal('state_mismatch', 'changed_identity', message, { ...evidence, now });
}

function candidateData({ candidate, confidence }: Scored<Candidate>, context: ActionContext) {
  const { clean } = context.watch.secrets;
  const { name, role, belongs = '' } = candidate.now;
  return {
    id: context.registry.idOf(candidate.element),
    role: shortRole(role),
    name: clean(name),
    ...(belongs !== '' && { belongs: clean(belongs) }),
    confidence,
  };
}

/** `btn 'Close' in dialog 'Newsletter'`: enough for an agent to recognize it. */
export function describe(element: Element, { watch }: ActionContext): string {
  const role = roleOf(element);
  // A box is recognized by its id or class as written; a name guessed from them is on no list.
  const isGuess = role === 'generic' && isGuessedName(element);
  const written = element.id || element.getAttribute('class')?.trim().split(/\s+/)[0] || '';
  const known = isGuess ? written || fullNameOf(element) : fullNameOf(element) || written;
  const name = cutText(watch.secrets.clean(known), NAME_LIMIT);
  const kind = role === 'generic' ? element.localName : shortRole(role);
  return name === '' ? kind : `${kind} '${name}'`;
}

export function stillSame({ id, element }: Target, { registry }: ActionContext): boolean {
  return isLive(element) && identityOf(element, registry.fingerprintOf(id)) === 'same';
}
