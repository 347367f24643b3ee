import type { InputOf } from '@drawbridge/protocol/primitives';
import type { Prepared, PreparedPress } from '../act/prepared-press.ts';
import { requireOrigin } from '../locate/origin-here.ts';
import type { Page } from '../page.ts';
import type { PageAnswer } from '../page-call.ts';
import type { Point } from '../perceive/hit-test.ts';
import { cleanAnswer } from './clean-answer.ts';
import { cleanContexts, type ElementContexts } from './clean-context.ts';
import { type ActTarget, elementContextOn } from './element-context.ts';
import { describePoint, elementAt } from './geometry.ts';
import type { InPageContext } from './in-page-context.ts';
import { dragPoints } from './pointing.ts';
import { pressContextOf, pressContextsOn } from './press-context.ts';
import { mayContinue } from './press-course.ts';
import { sameButForClocks } from './running-clocks.ts';

/** The target of a press: an element by its id, a point, both ends of a drag, or the focused element. */
type PressTarget = string | Point | InputOf<'pointer.drag'> | FocusTarget | null;
/** With an id, the element is focused first. */
type FocusTarget = ActTarget & { readonly focused: true; readonly id?: string };
type Options = NonNullable<Parameters<Page['preparePress']>[1]> & { readonly content?: boolean };

/**
 * Combines `preparePress` and `act.element_context` in one round trip, synchronously when nothing moves. The
 * classified element is the one that the press would reach, and the guard lets the press through to no other.
 */
export function readyPress(
  context: InPageContext,
  args: readonly unknown[],
  failed: (error: unknown) => PageAnswer,
): PageAnswer | Promise<PageAnswer> {
  const [pressTarget, options = {}] = trustPress(args);
  const isDrag = options.way === 'drag';
  try {
    requireOrigin(options, context);
    context.formHold.forget();
    const { origin: _, content = false, ...rest } = options;
    const how = { ...rest, mayContinue, ...(content && { isSameContext }) };
    if (typeof pressTarget === 'string' || pressTarget == null || isDrag)
      return readyElement({ id: asId(pressTarget), content }, how, context, failed);
    const prepared =
      'focused' in pressTarget
        ? readyKeys({ ...pressTarget, content }, how, context)
        : readyPoints(pressTarget, content, how, context);
    return prepared instanceof Promise
      ? prepared.then((settled) => answerTo(settled, context)).catch(failed)
      : answerTo(prepared, context);
  } catch (error) {
    return failed(error);
  }
}

function readyElement(
  { id, content }: { readonly id: string | undefined; readonly content: boolean },
  how: Options,
  context: InPageContext,
  failed: (error: unknown) => PageAnswer,
): PageAnswer | Promise<PageAnswer> {
  const place = id === undefined ? { x: -1, y: -1 } : { id };
  const act = { ...place, by: 'press', content } as const;
  const clean = cleanerOf(context, content);
  const answerLater = async (later: Prepared | Promise<Prepared>): Promise<PageAnswer> => {
    try {
      const prepared = await later;
      if (prepared.ok) return answerTo(prepared, context);
      context.leaving.forget();
      const elementContext = await pressContextOf(act, context);
      return {
        ok: true,
        value: { press: prepared, elementContext: elementContext && clean(elementContext) },
      };
    } catch (error) {
      return failed(error);
    }
  };
  const classify = (element: Element, inner: readonly Element[]) =>
    clean(pressContextsOn(element, inner, act, context));
  const prepared = context.page.preparePress(id, { ...how, classify });
  return 'token' in prepared ? answerTo(prepared, context) : answerLater(prepared);
}

function readyPoints(
  pressTarget: Point | InputOf<'pointer.drag'>,
  content: boolean,
  how: Options,
  context: InPageContext,
) {
  const clean = cleanerOf(context, content);
  const dragged = 'from' in pressTarget ? dragPoints(pressTarget, context) : undefined;
  const points = dragged === undefined ? [trustPoint(pressTarget)] : [dragged.from, dragged.to];
  const [target] = points.map((point) => describePoint(elementAt(point, context), context));
  const classify = (_: Element, inner: readonly Element[]) =>
    inner.flatMap((element, at) => {
      const { x, y } = points[at] ?? { x: 0, y: 0 };
      return clean(pressContextsOn(element, [element], { x, y, by: 'press', content }, context));
    });
  const more = trustFacts(cleanAnswer({ target, ...dragged }, context.pageInternals.cleaner()));
  const prepared = context.page.preparePressAt(points, { ...how, classify });
  return prepared instanceof Promise
    ? prepared.then((settled) => ({ ...settled, ...more }))
    : { ...prepared, ...more };
}

function readyKeys(act: FocusTarget, how: Options, context: InPageContext) {
  const { id } = act;
  const clean = cleanerOf(context, act.content === true);
  return context.page.prepareKeys({
    ...how,
    ...(id !== undefined && { id }),
    classify: (element) => clean(elementContextOn(element, act, context)),
  });
}

const asId = (pressTarget: unknown): string | undefined =>
  typeof pressTarget === 'string' ? pressTarget : undefined;

/** Masked like `act.element_context`, because the two are compared. */
function cleanerOf(
  { pageInternals }: InPageContext,
  content: boolean,
): (elementContexts: ElementContexts) => unknown {
  return (elementContexts) => cleanContexts(elementContexts, content, pageInternals);
}

/** A running clock on the page does not make it a different press. */
const isSameContext = (one: unknown, other: unknown): boolean =>
  sameButForClocks(JSON.stringify(one), JSON.stringify(other), 0);

function answerTo(prepared: Prepared, { leaving }: InPageContext): PageAnswer {
  leaving.forget();
  if (!prepared.ok) return { ok: false, error: prepared.error };
  const { elementContext, ...press }: PreparedPress = prepared;
  return { ok: true, value: { press, elementContext } };
}

/** Validated by the runtime. */
function trustPress(args: readonly unknown[]): readonly [PressTarget, Options?] {
  return args as unknown as readonly [PressTarget, Options?];
}

function trustFacts(facts: unknown): object {
  return facts as object;
}

function trustPoint(pressTarget: Point | InputOf<'pointer.drag'>): Point {
  return pressTarget as Point;
}
