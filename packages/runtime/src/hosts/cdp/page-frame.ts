import { BridgeError } from '@drawbridge/protocol';
import { DocumentLeft, type Point } from '../../host.ts';
import type { DeepSight } from './deep-sight.ts';
import { type FramePlace, placeOf, showFrame } from './frame-owner.ts';
import type { Frame } from './frames.ts';
import { isUnnamed, tellsReached } from './outside-input.ts';
import { callInWorld } from './page-world.ts';
import { within } from './time-limit.ts';

/** How long a frame may take for what others wait for. */
const FRAME_LIMIT_MS = 2_000;

/** Gives up on a frame that does not answer. */
export function soon<T>({ prefix }: PageFrame, work: Promise<T>): Promise<T> {
  const message = `The frame with the ids ${prefix}… does not answer. Reload the page.`;
  const late = () => new BridgeError('runtime_not_ready', message, { evidence: { frame: prefix } });
  return prefix === '' ? work : within(FRAME_LIMIT_MS, work, late);
}

/** A frame with page code of its own, and the one with page code that holds it. */
export interface PageFrame {
  readonly prefix: string;
  readonly holder: PageFrame | undefined;
  readonly call: (name: string, args: readonly unknown[]) => Promise<unknown>;
  /** In the holder's viewport. */
  readonly place: (at?: Point) => Promise<FramePlace>;
  /** Brings the point, or the frame's middle, into the holder's view. */
  readonly show: (at?: Point) => Promise<void>;
}

/** What is made better by a look with the debugger first: a secret in a closed shadow root is to be covered too. */
export const isSight = (name: string): boolean => SIGHTS.has(name);
const SIGHTS: ReadonlySet<string> = new Set(['snapshot', 'delta', 'installMasks']);

export function pageFrames(frames: readonly Frame[], parentOf: ParentOf, sight: DeepSight): PageFrame[] {
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
        if (isSight(name)) return sight.look(world).then(call);
        if (!tellsReached(name)) return call();
        // Its words may be in a closed shadow root, which only a look with the debugger opens.
        return call().then((answer) => (isUnnamed(answer) ? sight.look(world).then(call) : answer));
      },
      place: (at) => placeOf(frame, parentOf(frame), at),
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

/** Where a point of a frame is in the tab, and whether something lies over it, as it stands. */
export async function placeInTab(frame: PageFrame, point: Point): Promise<Point & { covered: boolean }> {
  return inTab(frame, point, async () => {});
}

/** Brings a point of a frame into view, and tells where in the tab it is and whether something lies over it. */
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
    const place = await inner.place({ x, y });
    covered ||= place.covered;
    x = place.left + x * place.scale.x;
    y = place.top + y * place.scale.y;
  }
  return { x, y, covered };
}
