import { RecentMap } from '@drawbridge/base';
import type { Delta, ReadOptions, SnapshotOptions } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import { diffTrees, formatDiffLines, type SemanticNode } from '@drawbridge/protocol/semantic';
import type { Point } from '../../host.ts';
import type { FramePosition } from './frame-owner.ts';
import {
  ALWAYS_IN_FRONT,
  createFramePresses,
  type FramePresses,
  isPress,
  NO_SHIELD,
  type Shield,
  type TabFront,
  TOKENED,
} from './frame-press.ts';
import { within } from './interruption.ts';
import { joinedReading } from './joined-reading.ts';
import { joinedSnapshot } from './joined-snapshot.ts';
import { addressOf, type PageFrame, soon } from './page-frame.ts';

export type Pages = readonly [PageFrame, ...PageFrame[]];

/** The page code of all frames as one page. */
export interface JoinedPage {
  readonly call: (pages: Pages, name: string, args: readonly unknown[]) => Promise<unknown>;
}

/** Equals the number that page code keeps. */
const MAX_SNAPSHOTS = 8;
const SIGNIFICANT_NODES = 3;
const HOLD_LIMIT_MS = 300;

/** Lives as long as the tab's document. */
export function createJoinedPage(
  tabUrl: () => string,
  shield: Shield = NO_SHIELD,
  front: TabFront = ALWAYS_IN_FRONT,
): JoinedPage {
  const presses = createFramePresses(shield, front);
  const kept = new RecentMap<string, readonly SemanticNode[]>(MAX_SNAPSHOTS);

  const snapshot = async (pages: Pages, options: SnapshotOptions) => {
    const joined = await joinedSnapshot(pages, options);
    kept.set(joined.snapshot_id, joined.page.interactive_tree);
    return joined;
  };

  const delta = async (pages: Pages, since: string, options: SnapshotOptions): Promise<Delta> => {
    const before = kept.get(since);
    const full = await snapshot(pages, options);
    const { snapshot_id, hash } = full;
    if (before === undefined) return { snapshot_id, since, hash, full };
    const diff = diffTrees(before, full.page.interactive_tree);
    const changes = diff.added.length + diff.removed.length + diff.changed.length;
    if (changes + diff.moved.length === 0) return { snapshot_id, since, hash, unchanged: true };
    const significant = changes >= SIGNIFICANT_NODES;
    return { snapshot_id, since, hash, unchanged: false, significant, diff, text: formatDiffLines(diff) };
  };

  return {
    async call(pages, name, args) {
      const prefix = name === 'delta' ? addressOf(args.slice(1)) : addressOf(args);
      const [main, ...inner] = pages;
      const frame = prefix === '' ? main : frameOf(pages, prefix);
      if (TOKENED.has(name)) return presses.follow(frame, name, args);
      if (prefix !== '') {
        const given = unpinned(args, tabUrl());
        return isPress(name)
          ? presses.prepare(frame, name, given)
          : frame.call(name, withOwnToken(given, prefix));
      }
      if (name === 'delta') {
        const [since, options = {}] = trustDeltaArgs(args);
        // Both snapshots are of the main frame alone, whose page code stores them.
        if (inner.length === 0 && !kept.has(since)) return main.call(name, args);
        return delta(pages, since, options);
      }
      if (inner.length === 0 || isRegional(args)) return main.call(name, args);
      if (name === 'webtools.list') return toolsOf(pages, args);
      if (name === 'webtools.call') return calledTool(pages, args);
      if (name === 'forms.hold') return heldIn(pages, args);
      if (name === 'snapshot') return snapshot(pages, trustOptions(args[0]));
      if (name === 'read') return joinedReading(pages, trustOptions(args[0]));
      if (name === 'find') return firstFound(pages, args);
      if (name === 'locator.wait_for') return firstThere(pages, args);
      if (name === 'locator.element_info') return locatedIn(pages, args);
      if (name === 'act.element_context') return elementContextIn(main, pages, args);
      if (name === 'act.offered_addresses') return offeredIn(pages, args);
      if (name === 'act.prepare_press') return pressIn(main, pages, args, presses);
      return main.call(name, args);
    },
  };
}

function frameOf(pages: Pages, prefix: string): PageFrame {
  const frame = pages.find((page) => page.prefix === prefix);
  if (frame !== undefined) return frame;
  const message = `The frame with the ids ${prefix}… has left the page. Take a new snapshot.`;
  throw new BridgeError('target_not_found', message, { evidence: { frame: prefix } });
}

/** A grant is for the tab's origin, but a frame's page code knows only its own: checked here. */
function unpinned(args: readonly unknown[], tabUrl: string): unknown[] {
  const { origin: now } = new URL(tabUrl);
  return args.map((arg) => {
    if (typeof arg !== 'object' || arg === null || !('origin' in arg)) return arg;
    const { origin, ...rest } = arg;
    if (origin === now) return rest;
    const message = `This was meant for ${String(origin)}, and the page is at ${now} now.`;
    throw new BridgeError('state_mismatch', message, { evidence: { reason: 'changed_origin', origin: now } });
  });
}

/** Page code sees a foreign frame as one element of the strictest class; the frame's own page code knows more. */
async function elementContextIn(page: PageFrame, pages: Pages, args: readonly unknown[]): Promise<unknown> {
  const answer = await page.call('act.element_context', args);
  const inner = await frameUnder(answer, page, pages, args);
  if (inner === undefined) return answer;
  return soon(inner.frame, elementContextIn(inner.frame, pages, inner.args)).catch(() => answer);
}

/** Prepares a press or keys in the foreign frame that would receive them. */
async function pressIn(
  page: PageFrame,
  pages: Pages,
  args: readonly unknown[],
  presses: FramePresses,
): Promise<unknown> {
  const answer = await presses.prepare(page, 'act.prepare_press', args);
  const inner = await frameUnder(asPreparedAnswer(answer).elementContext, page, pages, args);
  if (inner === undefined) return answer;
  return soon(inner.frame, pressIn(inner.frame, pages, unpinnedTarget(inner.args), presses));
}

/** The frame's own page code knows a token without the frame's prefix. */
const withOwnToken = (args: readonly unknown[], prefix: string): unknown[] =>
  args.map((arg) =>
    typeof arg === 'object' && arg !== null && 'token' in arg
      ? { ...arg, token: String(arg.token).slice(prefix.length) }
      : arg,
  );

interface Under {
  readonly frame: PageFrame;
  readonly args: readonly unknown[];
}

/** The frame that page code could not look into, and its own answer to the same question. */
async function frameUnder(
  answer: unknown,
  page: PageFrame,
  pages: Pages,
  [subject, ...rest]: readonly unknown[],
): Promise<Under | undefined> {
  const at = foreignPoint(answer);
  if (at === undefined || typeof subject !== 'object' || subject === null || 'id' in subject)
    return undefined;
  if ('from' in subject) return undefined;
  try {
    const held = pages.filter(({ holder }) => holder === page);
    const places = await Promise.all(held.map(async (frame) => ({ frame, place: await frame.position() })));
    const [only, ...others] = places.filter(({ place }) => isInside(at, place));
    if (only === undefined || others.length > 0) return undefined;
    const { left, top, scale } = only.place;
    const inner = 'x' in subject ? { x: (at.x - left) / scale.x, y: (at.y - top) / scale.y } : {};
    return { frame: only.frame, args: [{ ...subject, ...inner }, ...rest] };
  } catch {
    return undefined;
  }
}

/** The origin was checked on the page that holds the frame. */
const unpinnedTarget = ([pressTarget, options, ...rest]: readonly unknown[]): readonly unknown[] => [
  pressTarget,
  typeof options === 'object' && options !== null ? { ...options, origin: undefined } : options,
  ...rest,
];

function isInside({ x, y }: Point, { left, top, width, height }: FramePosition): boolean {
  return x >= left && y >= top && x <= left + width && y <= top + height;
}

/** A field of any frame may send its form. A frame that hangs sends nothing. */
async function heldIn(pages: Pages, args: readonly unknown[]): Promise<unknown> {
  const late = () => new Error('late');
  const stopped = await Promise.all(
    pages.map((page) => {
      const held = page.call('forms.hold', args);
      return page.holder === undefined ? held : within(HOLD_LIMIT_MS, held, late).catch(() => null);
    }),
  );
  return stopped.find((each) => each !== null) ?? null;
}

/** The page's tools, then those of each frame of another site. Page code lists same-origin frames itself. */
async function toolsOf(pages: Pages, args: readonly unknown[]): Promise<unknown> {
  const [main, ...inner] = pages;
  const listed = await Promise.all([
    main.call('webtools.list', args),
    ...inner.map((page) =>
      soon(page, page.call('webtools.list', args)).then(
        (tools) => [tools].flat().map((tool) => ({ ...Object(tool), frame: page.prefix })),
        () => [],
      ),
    ),
  ]);
  return listed.flat();
}

/** Links of a frame of another site lead wherever its address may be opened. */
async function offeredIn([main, ...inner]: Pages, args: readonly unknown[]): Promise<unknown> {
  const offered = await Promise.all([
    main.call('act.offered_addresses', args),
    ...inner.map((page) => soon(page, page.call('act.offered_addresses', args)).catch(() => [])),
  ]);
  return offered.flat();
}

/** Runs a tool in the frame that registered it. */
function calledTool(pages: Pages, args: readonly unknown[]): Promise<unknown> {
  const frame: unknown = Reflect.get(Object(Reflect.get(Object(args[0]), 'tool')), 'frame');
  const [main] = pages;
  if (typeof frame !== 'string') return main.call('webtools.call', args);
  // The origin in the options is the tab's.
  return frameOf(pages, frame).call('webtools.call', args.slice(0, 1));
}

/** In the page, else in the first frame that has it. */
async function firstFound(pages: Pages, args: readonly unknown[]): Promise<unknown> {
  const [found, ...others] = await Promise.all(
    pages.map((page) => (page.holder === undefined ? page.call('find', args) : quietly(page, args))),
  );
  return countOf(found) > 0 ? found : (others.find((other) => countOf(other) > 0) ?? found);
}

/** In whichever frame it comes first; else the answer of the page itself. */
function firstThere([main, ...inner]: Pages, args: readonly unknown[]): Promise<unknown> {
  const own = main.call('locator.wait_for', args);
  const others = inner.map((page) => page.call('locator.wait_for', unpinnedOptions(args)));
  return Promise.any([own, ...others]).catch(() => own);
}

/** In the page, else in the one frame that has it; a name that several frames have is not found. */
async function locatedIn([main, ...inner]: Pages, args: readonly unknown[]): Promise<unknown> {
  try {
    return await main.call('locator.element_info', args);
  } catch (error) {
    const isNone = error instanceof BridgeError && error.code === 'target_not_found';
    if (!isNone) throw error;
    const found = await Promise.all(
      inner.map(async (page) => {
        const info = await soon(page, page.call('locator.element_info', unpinnedOptions(args))).catch(
          () => null,
        );
        return info === null ? [] : [{ page, info }];
      }),
    );
    const [only, ...others] = found.flat();
    if (only === undefined || others.length > 0) throw error;
    return inTab(only.info, await only.page.position());
  }
}

/** The origin was checked by the page, whose answer came first. */
const unpinnedOptions = ([subject]: readonly unknown[]): readonly unknown[] => [subject];

/** The places of a frame's element, in the tab. */
function inTab(info: unknown, { left, top, scale }: FramePosition): unknown {
  const place = (box: unknown) => {
    const { x = 0, y = 0, width = 0, height = 0 } = trustBox(box);
    const point = { x: left + x * scale.x, y: top + y * scale.y };
    return 'width' in Object(box) ? { ...point, width: width * scale.x, height: height * scale.y } : point;
  };
  const places = ['bounding_box', 'clickable_center'].flatMap((name) => {
    const box: unknown = Reflect.get(Object(info), name);
    return box === undefined ? [] : [[name, place(box)]];
  });
  return { ...Object(info), ...Object.fromEntries(places) };
}

const quietly = (page: PageFrame, args: readonly unknown[]) =>
  soon(page, page.call('find', args)).catch(() => undefined);

function countOf(found: unknown): number {
  return typeof found === 'object' && found !== null && 'count' in found ? Number(found.count) : 0;
}

function isRegional([options]: readonly unknown[]): boolean {
  return (
    typeof options === 'object' && options !== null && 'region' in options && options.region !== undefined
  );
}

// Reads the arguments only for routing; page code validates them.

function trustOptions(value: unknown): SnapshotOptions & ReadOptions {
  return (value ?? {}) as SnapshotOptions & ReadOptions;
}

function foreignPoint(answer: unknown): Point | undefined {
  const all = [answer].flat() as readonly ({ readonly foreign?: Point } | null)[];
  return all.find((each) => each?.foreign !== undefined)?.foreign;
}

function trustBox(value: unknown): { x?: number; y?: number; width?: number; height?: number } {
  return Object(value);
}

function trustDeltaArgs(args: readonly unknown[]): [string, SnapshotOptions?] {
  return args as [string, SnapshotOptions?];
}

function asPreparedAnswer(value: unknown): { readonly elementContext: unknown } {
  return value as { readonly elementContext: unknown };
}
