import type { Delta, PreparedPress, ReadOptions, SnapshotOptions } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import { diffTrees, formatDiffLines, type SemanticNode } from '@drawbridge/protocol/semantic';
import type { Point } from '../../host.ts';
import { addressOf } from './call-address.ts';
import type { FramePlace } from './frame-owner.ts';
import { joinedReading } from './joined-reading.ts';
import { joinedSnapshot } from './joined-snapshot.ts';
import { type PageFrame, showInTab, soon } from './page-frame.ts';

export type Pages = readonly [PageFrame, ...PageFrame[]];

/** The page code of every frame as one. */
export interface JoinedPage {
  readonly call: (pages: Pages, name: string, args: readonly unknown[]) => Promise<unknown>;
}

/** As many as page code keeps. */
const SNAPSHOTS_KEPT = 8;
const SIGNIFICANT_NODES = 3;

/** For as long as one document is in the tab. */
export function createJoinedPage(tabUrl: () => string): JoinedPage {
  const kept = new Map<string, readonly SemanticNode[]>();

  const snapshot = async (pages: Pages, options: SnapshotOptions) => {
    const joined = await joinedSnapshot(pages, options);
    kept.set(joined.snapshot_id, joined.page.interactive_tree);
    const [oldest] = kept.keys();
    if (kept.size > SNAPSHOTS_KEPT && oldest !== undefined) kept.delete(oldest);
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
      if (prefix !== '') return callFrame(frameOf(pages, prefix), name, unpinned(args, tabUrl()));
      const [main, ...inner] = pages;
      // A press in the page itself comes by where one for a frame must not.
      if (isPress(name) && inner.length > 0)
        await Promise.all(inner.map((frame) => frame.landed().catch(() => '')));
      if (name === 'delta') {
        const [since, options = {}] = parseDeltaArgs(args);
        // Both pictures are of the main frame alone: its own page code knows them.
        if (inner.length === 0 && !kept.has(since)) return main.call(name, args);
        return delta(pages, since, options);
      }
      if (inner.length === 0 || isRegional(args)) return main.call(name, args);
      if (name === 'snapshot') return snapshot(pages, parseOptions(args[0]));
      if (name === 'read') return joinedReading(pages, parseOptions(args[0]));
      if (name === 'find') return firstFound(pages, args);
      if (name === 'act.purpose') return purposeIn(main, pages, args);
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

/** A grant is for the tab's origin; a frame's page code knows only its own, so it is checked here. */
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

/** What page code says about places is moved to where its frame stands in the tab. */
async function callFrame(frame: PageFrame, name: string, args: readonly unknown[]): Promise<unknown> {
  if (name === 'confirm') return confirmIn(frame, String(args[0]).slice(frame.prefix.length));
  if (!isPress(name)) return frame.call(name, args);
  for (let inner = frame; inner.holder !== undefined; inner = inner.holder) await inner.show();
  const answer = await frame.call(name, args);
  if (name === 'preparePress') return inTab(frame, parsePrepared(answer));
  const { place, purpose } = parseWeighed(answer);
  return { place: await inTab(frame, place), purpose };
}

const isPress = (name: string): boolean => name === 'preparePress' || name === 'act.press';

/** A place to press, as the tab has it; refused when something lies over the frame there. */
async function inTab(frame: PageFrame, prepared: Prepared): Promise<unknown> {
  if (!prepared.ok) return prepared;
  const { covered, ...point } = await showInTab(frame, prepared.point);
  if (covered) return { ok: false, error: coveredFrame({ id: prepared.id }) };
  await frame.arm();
  return { ...prepared, point, token: `${frame.prefix}${prepared.token}` };
}

/** What came to lie over the frame since the point was told has taken the press. */
async function confirmIn(frame: PageFrame, token: string): Promise<unknown> {
  const cover = await frame.landed();
  const confirmed = await frame.call('confirm', [token]);
  return cover === '' ? confirmed : { ok: false, action: 'click', error: coveredFrame({ cover }) };
}

function coveredFrame(facts: { readonly id?: string; readonly cover?: string }) {
  const message = 'Something lies over the frame there: close it, then try again.';
  return { code: 'state_mismatch', message, evidence: { reason: 'covered', ...facts } };
}

/** Page code takes a frame of another origin for one element, and the worst of it: the frame's own knows more. */
async function purposeIn(page: PageFrame, pages: Pages, args: readonly unknown[]): Promise<unknown> {
  const told = await page.call('act.purpose', args);
  const [subject, ...rest] = args;
  const at = foreignPoint(told);
  if (at === undefined || typeof subject !== 'object' || subject === null || 'id' in subject) return told;
  try {
    const held = pages.filter(({ holder }) => holder === page);
    const places = await Promise.all(held.map(async (frame) => ({ frame, place: await frame.place() })));
    const [only, ...others] = places.filter(({ place }) => isInside(at, place));
    if (only === undefined || others.length > 0) return told;
    const { left, top, scale } = only.place;
    const inner = 'x' in subject ? { x: (at.x - left) / scale.x, y: (at.y - top) / scale.y } : {};
    return await soon(only.frame, purposeIn(only.frame, pages, [{ ...subject, ...inner }, ...rest]));
  } catch {
    return told;
  }
}

function isInside({ x, y }: Point, { left, top, width, height }: FramePlace): boolean {
  return x >= left && y >= top && x <= left + width && y <= top + height;
}

/** In the page, else in the first frame that has it. */
async function firstFound(pages: Pages, args: readonly unknown[]): Promise<unknown> {
  const [found, ...others] = await Promise.all(
    pages.map((page) => (page.holder === undefined ? page.call('find', args) : quietly(page, args))),
  );
  return countOf(found) > 0 ? found : (others.find((other) => countOf(other) > 0) ?? found);
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

// The page code checks its own arguments; these are read only to know where they go.

function parseOptions(value: unknown): SnapshotOptions & ReadOptions {
  return (value ?? {}) as SnapshotOptions & ReadOptions;
}

function foreignPoint(told: unknown): Point | undefined {
  return (told as { readonly foreign?: Point } | null)?.foreign;
}

function parseDeltaArgs(args: readonly unknown[]): [string, SnapshotOptions?] {
  return args as [string, SnapshotOptions?];
}

type Prepared = PreparedPress | { readonly ok: false };

function parsePrepared(value: unknown): Prepared {
  return value as Prepared;
}

function parseWeighed(value: unknown): { readonly place: Prepared; readonly purpose: unknown } {
  return value as { readonly place: Prepared; readonly purpose: unknown };
}
