import { BridgeError, type Question } from '@drawbridge/protocol';
import { sameContent } from '../grants/asked-content.ts';
import type { ElementContext } from '../grants/element-context.ts';
import type { Permit } from '../grants/gatekeeper.ts';
import type { ClassifiedCall } from '../grants/primitive-effect.ts';
import { changesOf } from '../grants/question.ts';
import { higherClass } from '../grants/tool-effect.ts';

/** Limits the questions of one call when the page changes after each. */
const MAX_QUESTIONS = 3;

export interface Asking {
  readonly name: string;
  readonly now: () => number;
  /** Fails when a person refuses. */
  readonly ask: (classified: ClassifiedCall, changed?: Question['changed']) => Promise<Permit>;
  /** Differences from an earlier permission. */
  readonly changed?: Question['changed'];
  /** Classifies the call again, on the page as it is now. */
  readonly look: () => Promise<ClassifiedCall>;
}

/**
 * An approval covers the content that was shown. When the page has changed since, the person is asked again
 * with both versions; the call is not refused for the change.
 */
export async function askUntilSame(first: ClassifiedCall, asking: Asking): Promise<void> {
  const { name, now, ask, look } = asking;
  let asked = first;
  let { changed } = asking;
  for (let round = 1; round <= MAX_QUESTIONS; round++) {
    const askedAt = now();
    const permit = await ask(asked, changed);
    const found = await look();
    if (isSame(asked, found, now() - askedAt)) return permit.storeGrant?.();
    changed = changesOf(asked.elementContext, found.elementContext);
    // Never a lower class than before: a standing grant would answer in the person's place.
    asked = { ...found, effect: higherClass(found.effect, first.effect) };
  }
  throw new BridgeError(
    'state_mismatch',
    `The page kept changing what ${name} would do while a person was asked. Look at the page, then ask again.`,
    { evidence: { reason: 'kept_changing' } },
  );
}

function isSame(one: ClassifiedCall, other: ClassifiedCall, elapsedMs: number): boolean {
  const [before, after] = [one, other].map(({ elementContexts = [] }) => elementContexts);
  if (before === undefined || after === undefined || before.length !== after.length) return false;
  return before.every((elementContext, at) => isSameElementContext(elementContext, after[at], elapsedMs));
}

function isSameElementContext(
  before: ElementContext,
  after: ElementContext | undefined,
  elapsedMs: number,
): boolean {
  return (
    before.label === after?.label &&
    before.origin === after?.origin &&
    before.form?.what === after?.form?.what &&
    before.covered?.token === after?.covered?.token &&
    sameContent(before.content, after?.content, elapsedMs)
  );
}
