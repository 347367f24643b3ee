import type { Written } from '../effect/effect.ts';
import { type Observation, observe } from '../effect/observation.ts';
import { verify } from '../effect/verification.ts';
import { isLive } from '../heal/identity.ts';
import { requireOrigin } from '../locate/origin-here.ts';
import { PageError } from '../locate/page-error.ts';
import type { ActionContext } from './action-context.ts';
import type { ActionName, ActionRefused, ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { keepFocusAndScroll } from './focus-and-scroll.ts';
import { refusal } from './refusal.ts';
import { pageBox, positionOf } from './scroll-box.ts';
import { resolveTarget, type Target } from './target.ts';

/** The steps of an action: `ready` may refuse and must change nothing; `act` does it. */
export interface Steps<Ready> {
  readonly ready: (target: Target) => Promise<Ready> | Ready;
  readonly act: (target: Target, ready: Ready) => Promise<OwnWord> | OwnWord;
}

/** Resolves, rechecks, prepares, acts and observes the effect. */
export async function perform<Ready>(
  action: ActionName,
  id: string,
  options: ActOptions,
  steps: Steps<Ready>,
  context: ActionContext,
): Promise<ActionResult> {
  return refusable(action, async () => {
    const target = begin(id, options, context);
    const putBack = options.quiet ? keepFocusAndScroll(target.element) : undefined;
    let observation: Observation;
    let own: OwnWord;
    try {
      const ready = await steps.ready(target);
      observation = startObservation(options, context);
      observation.atAct();
      own = await steps.act(target, ready);
    } finally {
      putBack?.();
    }
    return conclude({ action, target, own, options, observation, context });
  });
}

/** The same for the page itself, or for the focused element. */
export function performHere(
  action: ActionName,
  options: ActOptions,
  act: () => Promise<OwnWord> | OwnWord,
  context: ActionContext,
): Promise<ActionResult> {
  return refusable(action, async () => {
    requireOrigin(options, context);
    const observation = startObservation(options, context);
    observation.atAct();
    return conclude({ action, own: await act(), options, observation, context });
  });
}

export function begin(id: string, options: ActOptions, context: ActionContext): Target {
  requireOrigin(options, context);
  const element = options.located ? context.registry.elementOf(id) : undefined;
  return element !== undefined && isLive(element) ? { id, element } : resolveTarget(id, context);
}

export function startObservation(
  { expected }: ActOptions,
  context: ActionContext,
  isHover = false,
): Observation {
  return observe({ ...context, seesRequests: context.host.seesRequests, isHover }, expected);
}

/** Actions that may write the target's value. */
const WRITES: ReadonlyMap<ActionName, Written> = new Map([
  ['fill', 'changed'],
  ['type', 'changed'],
  ['select', 'changed'],
  ['keys', 'not compared'],
]);

export interface Acted {
  readonly action: ActionName;
  readonly target?: Target;
  readonly own: OwnWord;
  readonly options: ActOptions;
  readonly observation: Observation;
  readonly context: ActionContext;
}

export async function conclude(acted: Acted): Promise<ActionResult> {
  const { action, target, own, options, observation, context } = acted;
  const { watch, clock } = context;
  const begunAt = clock.now();
  const { effect, late, isMet } = await observation.end(
    target?.id === '' ? undefined : target?.id,
    WRITES.get(action),
  );
  context.again = () => conclude(acted);
  const { fidelity = 'synthetic', achieved, shortfall, reads } = own;
  const box = own.box ?? (effect.scrolled === true ? pageBox(context) : undefined);
  return {
    ok: true,
    action,
    ...(target && target.id !== '' && { id: target.id }),
    fidelity,
    ...(target?.healed && { healed: target.healed }),
    ...(reads !== undefined && { reads: watch.secrets.clean(reads) }),
    ...(box && { position: positionOf(box) }),
    ...(achieved === false && { achieved }),
    effect,
    ...(late && { late }),
    ...verify({ action, effect, expected: options.expected, isMet, achieved, shortfall }),
    clientObservations: {
      didNetworkOccur: effect.requests > 0,
      didDomMutate: watch.lastMutationAt() >= begunAt || effect.happened,
      didUrlChange: effect.url !== undefined,
    },
  };
}

/** Turns a refusal into data; other errors become the action's failure. Synchronous where possible. */
export function refusable<Done>(action: ActionName, work: () => Promise<Done>): Promise<Done | ActionRefused>;
export function refusable<Done>(
  action: ActionName,
  work: () => Done | Promise<Done>,
): Done | ActionRefused | Promise<Done | ActionRefused>;
export function refusable(action: ActionName, work: () => unknown): unknown {
  const refused = (error: unknown): ActionRefused => ({ ok: false, action, error: refusalOf(error, action) });
  try {
    const done = work();
    return done instanceof Promise ? done.catch(refused) : done;
  } catch (error) {
    return refused(error);
  }
}

function refusalOf(error: unknown, action: ActionName): ActionRefused['error'] {
  if (error instanceof PageError) return error.toJSON();
  const message = `${action} failed: ${error instanceof Error ? error.name : 'no error'}. Look at the page again.`;
  return refusal('handler_failed', 'failed', message).toJSON();
}
