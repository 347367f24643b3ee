import type { Page, PageAnswer, Point, Prepared, PreparedPress } from '@drawbridge/page';
import type { InputOf } from '@drawbridge/protocol/primitives';
import { sameButForClocks } from '../grants/running-clocks.ts';
import { cleanAnswer } from './clean-answer.ts';
import { elementContextOn, type PageElementContext, type Subject } from './element-context.ts';
import { describePoint, elementAt } from './geometry.ts';
import type { InPageContext } from './in-page-context.ts';
import { requireOrigin } from './origin-here.ts';
import { dragPoints } from './pointing.ts';
import { pressContextOf, pressContextsOn } from './press-context.ts';
import { goesOn } from './press-course.ts';

/** The target of a press: an element by its id, a point, both ends of a drag, or the focused element. */
type Spot = string | Point | InputOf<'pointer.drag'> | FocusSpot;
/** With an id, the element is focused first. */
type FocusSpot = Subject & { readonly focused: true; readonly id?: string };
type Options = NonNullable<Parameters<Page['preparePress']>[1]> & { readonly content?: boolean };
type Weighed = PageElementContext | readonly PageElementContext[];

/**
 * Combines `preparePress` and `act.purpose` in one round trip, synchronously when nothing moves. The
 * classified element is the one that the press would reach, and the guard lets the press through to no other.
 */
export function readyPress(
  context: InPageContext,
  args: readonly unknown[],
  failed: (error: unknown) => PageAnswer,
): PageAnswer | Promise<PageAnswer> {
  const [spot, options = {}] = parsePress(args);
  try {
    requireOrigin(options, context);
    const { origin: _, content = false, ...rest } = options;
    const how = { ...rest, goesOn, ...(content && { sameWeight }) };
    if (typeof spot === 'string') return readyElement({ id: spot, content }, how, context, failed);
    const prepared =
      'focused' in spot
        ? readyKeys({ ...spot, content }, how, context)
        : readyPoints(spot, content, how, context);
    return prepared instanceof Promise
      ? prepared.then((settled) => answerTo(settled, context)).catch(failed)
      : answerTo(prepared, context);
  } catch (error) {
    return failed(error);
  }
}

function readyElement(
  { id, content }: { readonly id: string; readonly content: boolean },
  how: Options,
  context: InPageContext,
  failed: (error: unknown) => PageAnswer,
): PageAnswer | Promise<PageAnswer> {
  const act = { id, by: 'press', content } as const;
  const clean = cleanerOf(context, content);
  const answerLater = async (later: Prepared | Promise<Prepared>): Promise<PageAnswer> => {
    try {
      const prepared = await later;
      if (prepared.ok) return answerTo(prepared, context);
      context.leaving.forget();
      const purpose = await pressContextOf(act, context);
      return { ok: true, value: { place: prepared, purpose: purpose && clean(purpose) } };
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
  spot: Point | InputOf<'pointer.drag'>,
  content: boolean,
  how: Options,
  context: InPageContext,
) {
  const clean = cleanerOf(context, content);
  const places = 'from' in spot ? dragPoints(spot, context) : undefined;
  const points = places === undefined ? [parsePoint(spot)] : [places.from, places.to];
  const [target] = points.map((point) => describePoint(elementAt(point, context), context));
  const classify = (_: Element, inner: readonly Element[]) =>
    inner.flatMap((element, at) => {
      const { x, y } = points[at] ?? { x: 0, y: 0 };
      return clean(pressContextsOn(element, [element], { x, y, by: 'press', content }, context));
    });
  const more = parseFacts(cleanAnswer({ target, ...places }, context.pageInternals.cleaner()));
  const prepared = context.page.preparePressAt(points, { ...how, classify });
  return prepared instanceof Promise
    ? prepared.then((settled) => ({ ...settled, ...more }))
    : { ...prepared, ...more };
}

function readyKeys(act: FocusSpot, how: Options, context: InPageContext) {
  const { id } = act;
  const clean = cleanerOf(context, act.content === true);
  return context.page.prepareKeys({
    ...how,
    ...(id !== undefined && { id }),
    classify: (element) => clean(elementContextOn(element, act, context)),
  });
}

/** Masked like `act.purpose`, because the two are compared. */
function cleanerOf({ pageInternals }: InPageContext, content: boolean): (weighed: Weighed) => unknown {
  return (weighed) => cleanAnswer(weighed, content ? pageInternals.personCleaner : pageInternals.seenCleaner);
}

/** A running clock on the page does not make it a different press. */
const sameWeight = (one: unknown, other: unknown): boolean =>
  sameButForClocks(JSON.stringify(one), JSON.stringify(other), 0);

function answerTo(prepared: Prepared, { leaving }: InPageContext): PageAnswer {
  leaving.forget();
  if (!prepared.ok) return { ok: false, error: prepared.error };
  const { elementContext, ...place }: PreparedPress = prepared;
  return { ok: true, value: { place, purpose: elementContext } };
}

/** Validated by the runtime. */
function parsePress(args: readonly unknown[]): readonly [Spot, Options?] {
  return args as unknown as readonly [Spot, Options?];
}

function parseFacts(facts: unknown): object {
  return facts as object;
}

function parsePoint(spot: Point | InputOf<'pointer.drag'>): Point {
  return spot as Point;
}
