import { BridgeError } from '@drawbridge/protocol';
import { DocumentLeft, type Point } from '../../host.ts';
import { type FramePosition, positionOf, showFrame } from './frame-owner.ts';
import type { Frame } from './frames.ts';
import { within } from './interruption.ts';
import { callInWorld } from './isolated-world.ts';
import type { ListenerScan } from './listener-scan.ts';

/** Deadline of one frame in a call that joins several. */
const FRAME_LIMIT_MS = 2_000;

export function soon<T>({ prefix }: PageFrame, work: Promise<T>): Promise<T> {
  const message = `The frame with the ids ${prefix}… does not answer. Reload the page.`;
  const late = () => new BridgeError('runtime_not_ready', message, { evidence: { frame: prefix } });
  return prefix === '' ? work : within(FRAME_LIMIT_MS, work, late);
}

/** A frame in which page code runs, and the frame that holds it. */
export interface PageFrame {
  readonly prefix: string;
  readonly holder: PageFrame | undefined;
  readonly call: (name: string, args: readonly unknown[]) => Promise<unknown>;
  /** In the holder's viewport. */
  readonly position: (at?: Point) => Promise<FramePosition>;
  /** Scrolls the point, or the frame's middle, into the holder's view. */
  readonly show: (at?: Point) => Promise<void>;
}

/** Calls that need a listener scan first, so that secrets in closed shadow roots are masked too. */
export const PERCEPTIONS: ReadonlySet<string> = new Set([
  ...['snapshot', 'delta', 'installMasks', 'observeAgain'],
]);

export function pageFrames(
  frames: readonly Frame[],
  parentOf: ParentOf,
  listenerScan: ListenerScan,
): PageFrame[] {
  const made = new Map<Frame, PageFrame>();
  const withPage = new Set(frames);
  const pageFrame = (frame: Frame): PageFrame => {
    const known = made.get(frame);
    if (known !== undefined) return known;
    const holder = holderOf(frame, withPage, parentOf);
    const { world, prefix = '' } = frame;
    const page: PageFrame = {
      prefix,
      holder: holder && pageFrame(holder),
      call(name, args) {
        if (world === undefined) return Promise.reject(new DocumentLeft('The frame has left the page.'));
        const call = () => callInWorld(world, name, args);
        if (PERCEPTIONS.has(name)) return listenerScan.look(world).then(call);
        if (!NAMES_REACHED.has(name)) return call();
        // The texts may be in a closed shadow root, which only a listener scan opens.
        return call().then((answer) =>
          reachedElement(answer).isUnnamed ? listenerScan.look(world).then(call) : answer,
        );
      },
      position: (at) => positionOf(frame, parentOf(frame), at),
      show: (at) => showFrame(frame, parentOf(frame), at),
    };
    made.set(frame, page);
    return page;
  };
  return frames.map(pageFrame);
}

type ParentOf = (frame: Frame) => Frame | undefined;

function holderOf(frame: Frame, withPage: ReadonlySet<Frame>, parentOf: ParentOf): Frame | undefined {
  let outer = parentOf(frame);
  while (outer !== undefined && !withPage.has(outer)) outer = parentOf(outer);
  return outer;
}

/** Translates a frame point to the tab and reports whether it is covered, without scrolling. */
export async function positionInTab(frame: PageFrame, point: Point): Promise<Point & { covered: boolean }> {
  return inTab(frame, point, async () => {});
}

/** Scrolls a frame point into view, translates it to the tab and reports whether it is covered. */
export async function showInTab(frame: PageFrame, point: Point): Promise<Point & { covered: boolean }> {
  return inTab(frame, point, (inner, at) => inner.show(at));
}

async function inTab(
  frame: PageFrame,
  point: Point,
  ready: (inner: PageFrame, at: Point) => Promise<void>,
): Promise<Point & { covered: boolean }> {
  let { x, y } = point;
  let covered = false;
  for (let inner: PageFrame = frame; inner.holder !== undefined; inner = inner.holder) {
    await ready(inner, { x, y });
    const place = await inner.position({ x, y });
    covered ||= place.covered;
    x = place.left + x * place.scale.x;
    y = place.top + y * place.scale.y;
  }
  return { x, y, covered };
}

/**
 * Reads an answer about the element that input would reach: in a frame that page code cannot read, for which it
 * gives a point; or without any text that describes its action, or with a closed shadow root in which it may be.
 */
export function reachedElement(answer: unknown): {
  readonly isForeign: boolean;
  readonly isUnnamed: boolean;
} {
  const given: unknown =
    typeof answer === 'object' && answer !== null && 'elementContext' in answer
      ? answer.elementContext
      : answer;
  let [isForeign, isUnnamed] = [false, false];
  for (const each of [given].flat()) {
    if (typeof each !== 'object' || each === null) continue;
    isForeign ||= 'foreign' in each;
    isUnnamed ||=
      'unseen' in each || ('words' in each && Array.isArray(each.words) && each.words.length === 0);
  }
  return { isForeign, isUnnamed };
}

/** Calls whose answer names the element that input would reach. */
export const NAMES_REACHED: ReadonlySet<string> = new Set(['act.element_context', 'act.prepare_press']);

/** Argument fields that may hold an id, in order of precedence. */
const ID_FIELDS = ['anchor', 'id', 'element_id', 'region', 'token'];

/**
 * The prefix of the frame whose page code answers this call, from the first id in its arguments. Only the
 * first argument with an id counts, so that text to be typed is never read as an id. `f100_7` is in the frame
 * `f100_`; `f2_7` is in a frame that the main page's code reaches itself.
 */
export function addressOf([first, second]: readonly unknown[]): string {
  const other = idIn(second);
  const id = typeof first === 'string' && other === undefined ? first : (idIn(first) ?? other ?? first);
  return typeof id === 'string' ? (/^f[1-9]\d{2,8}_/.exec(id)?.[0] ?? '') : '';
}

function idIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const field of ID_FIELDS) {
    const id: unknown = Reflect.get(value, field);
    if (typeof id === 'string') return id;
  }
  return undefined;
}
