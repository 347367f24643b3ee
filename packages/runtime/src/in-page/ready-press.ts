import type { Page, PageAnswer, Point, Prepared, PreparedPress } from '@drawbridge/page';
import type { InputOf } from '@drawbridge/protocol/primitives';
import { sameButForClocks } from '../grants/running-clocks.ts';
import { cleanAnswer } from './clean-answer.ts';
import { describePoint, elementAt } from './geometry.ts';
import { requireOrigin } from './origin-here.ts';
import { dragPlaces } from './pointing.ts';
import { goesOn } from './press-course.ts';
import { purposeOf, purposesOn } from './press-purpose.ts';
import { type Purpose, purposeOn, type Subject } from './purpose.ts';
import type { InPageScene } from './scene.ts';

/** The target of a press: an element by its id, a point, both ends of a drag, or the focused element. */
type Spot = string | Point | InputOf<'pointer.drag'> | FocusSpot;
/** With an id, the element is focused first. */
type FocusSpot = Subject & { readonly focused: true; readonly id?: string };
type Options = NonNullable<Parameters<Page['preparePress']>[1]> & { readonly content?: boolean };
type Weighed = Purpose | readonly Purpose[];

/**
 * Combines `preparePress` and `act.purpose` in one round trip, synchronously when nothing moves. The
 * classified element is the one that the press would reach, and the guard lets the press through to no other.
 */
export function readyPress(
  scene: InPageScene,
  args: readonly unknown[],
  failed: (error: unknown) => PageAnswer,
): PageAnswer | Promise<PageAnswer> {
  const [spot, options = {}] = parsePress(args);
  try {
    requireOrigin(options, scene);
    const { origin: _, content = false, ...rest } = options;
    const how = { ...rest, goesOn, ...(content && { sameWeight }) };
    if (typeof spot === 'string') return readyElement({ id: spot, content }, how, scene, failed);
    const prepared =
      'focused' in spot
        ? readyKeys({ ...spot, content }, how, scene)
        : readyPoints(spot, content, how, scene);
    return prepared instanceof Promise
      ? prepared.then((settled) => answerTo(settled, scene)).catch(failed)
      : answerTo(prepared, scene);
  } catch (error) {
    return failed(error);
  }
}

function readyElement(
  { id, content }: { readonly id: string; readonly content: boolean },
  how: Options,
  scene: InPageScene,
  failed: (error: unknown) => PageAnswer,
): PageAnswer | Promise<PageAnswer> {
  const act = { id, by: 'press', content } as const;
  const clean = cleanerOf(scene, content);
  const answerLater = async (later: Prepared | Promise<Prepared>): Promise<PageAnswer> => {
    try {
      const prepared = await later;
      if (prepared.ok) return answerTo(prepared, scene);
      scene.leaving.forget();
      const purpose = await purposeOf(act, scene);
      return { ok: true, value: { place: prepared, purpose: purpose && clean(purpose) } };
    } catch (error) {
      return failed(error);
    }
  };
  const weigh = (element: Element, inner: readonly Element[]) =>
    clean(purposesOn(element, inner, act, scene));
  const prepared = scene.page.preparePress(id, { ...how, weigh });
  return 'token' in prepared ? answerTo(prepared, scene) : answerLater(prepared);
}

function readyPoints(
  spot: Point | InputOf<'pointer.drag'>,
  content: boolean,
  how: Options,
  scene: InPageScene,
) {
  const clean = cleanerOf(scene, content);
  const places = 'from' in spot ? dragPlaces(spot, scene) : undefined;
  const points = places === undefined ? [parsePoint(spot)] : [places.from, places.to];
  const [target] = points.map((point) => describePoint(elementAt(point, scene), scene));
  const weigh = (_: Element, inner: readonly Element[]) =>
    inner.flatMap((element, at) => {
      const { x, y } = points[at] ?? { x: 0, y: 0 };
      return clean(purposesOn(element, [element], { x, y, by: 'press', content }, scene));
    });
  const more = parseFacts(cleanAnswer({ target, ...places }, scene.world.cleaner()));
  const prepared = scene.page.preparePressAt(points, { ...how, weigh });
  return prepared instanceof Promise
    ? prepared.then((settled) => ({ ...settled, ...more }))
    : { ...prepared, ...more };
}

function readyKeys(act: FocusSpot, how: Options, scene: InPageScene) {
  const { id } = act;
  const clean = cleanerOf(scene, act.content === true);
  return scene.page.prepareKeys({
    ...how,
    ...(id !== undefined && { id }),
    weigh: (element) => clean(purposeOn(element, act, scene)),
  });
}

/** Masked like `act.purpose`, because the two are compared. */
function cleanerOf({ world }: InPageScene, content: boolean): (weighed: Weighed) => unknown {
  return (weighed) => cleanAnswer(weighed, content ? world.personCleaner : world.seenCleaner);
}

/** A running clock on the page does not make it a different press. */
const sameWeight = (one: unknown, other: unknown): boolean =>
  sameButForClocks(JSON.stringify(one), JSON.stringify(other), 0);

function answerTo(prepared: Prepared, { leaving }: InPageScene): PageAnswer {
  leaving.forget();
  if (!prepared.ok) return { ok: false, error: prepared.error };
  const { purpose, ...place }: PreparedPress = prepared;
  return { ok: true, value: { place, purpose } };
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
