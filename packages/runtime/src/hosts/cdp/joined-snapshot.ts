import type { FrameInfo, Snapshot, SnapshotOptions } from '@drawbridge/page';
import { stitch } from '@drawbridge/page';
import { type ContextLine, formatLines, hashTree, type SemanticNode } from '@drawbridge/protocol/semantic';

import type { FramePosition } from './frame-owner.ts';
import { withinBudget } from './joined-budget.ts';
import { addressOf, type PageFrame, soon } from './page-frame.ts';

interface Seen {
  readonly frame: PageFrame;
  readonly place: FramePosition;
  readonly snapshot: Snapshot;
}

/** One snapshot of the tab from all frames with page code, which are asked in parallel. */
export async function joinedSnapshot(
  [main, ...inner]: readonly [PageFrame, ...PageFrame[]],
  options: SnapshotOptions,
): Promise<Snapshot> {
  const asked = inner.map((frame) => lookInto(frame, options));
  const snapshot = trustSnapshot(await main.call('snapshot', [options]));
  const seen = (await Promise.all(asked)).flatMap((each) => each ?? []);
  return seen.length === 0
    ? snapshot
    : withinBudget(
        joinInto({ frame: main, snapshot }, seen, options),
        [snapshot, ...seen.map((each) => each.snapshot)],
        options,
      );
}

/** A frame that navigates or hangs is left out. */
async function lookInto(frame: PageFrame, options: SnapshotOptions): Promise<Seen | undefined> {
  try {
    const [place, snapshot] = await soon(
      frame,
      Promise.all([frame.position(), frame.call('snapshot', [options])]),
    );
    return { frame, place, snapshot: trustSnapshot(snapshot) };
  } catch {
    return undefined;
  }
}

function joinInto(
  { frame, snapshot }: Pick<Seen, 'frame' | 'snapshot'>,
  seen: readonly Seen[],
  options: SnapshotOptions,
): Snapshot {
  const { page } = snapshot;
  const { width, height } = page.viewport ?? { width: Infinity, height: Infinity };
  const inView = options.scope === 'page' ? undefined : { width, height };
  let context = [...snapshot.context];
  let count = page.interactive_tree.length;
  const frames: FrameInfo[] = [];
  const pages = seen
    .filter((inner) => inner.frame.holder === frame)
    .flatMap((inner) => {
      const joined = joinInto(inner, seen, options);
      const { left, top, width: w, height: h, scale, covered } = inner.place;
      const box: FrameInfo['box'] = [Math.round(left), Math.round(top), Math.round(w), Math.round(h)];
      const isKept = (node: SemanticNode) => isShown(node, box, inView);
      const tree = joined.page.interactive_tree.map((node) => scaled(node, scale));
      const kept = tree.filter(isKept);
      if (kept.length === 0) return [];
      const f = numberOf(inner.frame.prefix);
      const placed = joined.context.map((line) => shifted(line, count, tree, isKept));
      context = [...context, ...placed];
      count += kept.length;
      frames.push({ f, id: '', url: joined.page.url, box });
      return { f, box, occ: covered, page: { ...joined.page, interactive_tree: kept } };
    });
  if (pages.length === 0) return snapshot;
  const stitched = stitch(page, pages);
  const nodes = stitched.interactive_tree.map(inOwnFrame);
  const full = seen.flatMap(({ snapshot: { semanticNodes = [] } }) => semanticNodes);
  return {
    ...snapshot,
    page: { ...stitched, interactive_tree: nodes },
    context,
    hash: hashTree(nodes),
    frames: named(snapshot.frames, frames),
    ...(options.form === 'lines' && { text: formatLines(nodes, context) }),
    ...(snapshot.semanticNodes && { semanticNodes: [...snapshot.semanticNodes, ...full] }),
  };
}

/** A nested frame is listed under its own number, as in its ids. */
function inOwnFrame(node: SemanticNode): SemanticNode {
  const prefix = addressOf([node.i]);
  return prefix === '' ? node : { ...node, f: numberOf(prefix) };
}

/** Converts the places of a scaled frame to page coordinates. */
function scaled(node: SemanticNode, { x, y }: FramePosition['scale']): SemanticNode {
  if (x === 1 && y === 1) return node;
  const scaledNode = { ...node };
  if (node.xy !== undefined) {
    const [left, top] = node.xy;
    scaledNode.xy = [Math.round(left * x), Math.round(top * y)];
  }
  if (node.box !== undefined) {
    const [left, top, width, height] = node.box;
    scaledNode.box = [
      Math.round(left * x),
      Math.round(top * y),
      Math.round(width * x),
      Math.round(height * y),
    ];
  }
  return scaledNode;
}

const numberOf = (prefix: string): number => Number.parseInt(prefix.slice(1), 10);

function isShown(
  { xy: [x, y] = [0, 0] }: SemanticNode,
  [left, top, width, height]: FrameInfo['box'],
  inView: { width: number; height: number } | undefined,
): boolean {
  if (x < 0 || y < 0 || x > width || y > height) return false;
  if (inView === undefined) return true;
  return left + x >= 0 && top + y >= 0 && left + x <= inView.width && top + y <= inView.height;
}

/** Moves a line of a frame to its index among the kept nodes. */
function shifted(
  line: ContextLine,
  before: number,
  tree: readonly SemanticNode[],
  isKept: (node: SemanticNode) => boolean,
): ContextLine {
  return { ...line, at: before + tree.slice(0, line.at).filter(isKept).length };
}

/** Replaces page code's frame numbers with the host's, which are in the ids. */
function named(reported: readonly FrameInfo[], looked: readonly FrameInfo[]): FrameInfo[] {
  const isSame = (a: FrameInfo, b: FrameInfo) =>
    a.box.every((side, at) => Math.abs(side - (b.box[at] ?? 0)) <= 1);
  const ours = looked.map((frame) => ({
    ...frame,
    id: reported.find((other) => isSame(other, frame))?.id ?? '',
  }));
  return [...reported.filter((other) => !looked.some((frame) => isSame(other, frame))), ...ours];
}

export function trustSnapshot(value: unknown): Snapshot {
  return value as Snapshot;
}
