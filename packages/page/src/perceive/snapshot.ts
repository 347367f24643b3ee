import {
  type ContextLine,
  formatLines,
  hashTree,
  type SemanticNode,
  type SemanticNodeV2,
  type SemanticPage,
} from '@drawbridge/protocol/semantic';
import { asRemembered, neighboursOf } from '../heal/remembered.ts';
import { type ElementRegistry, liveElement } from '../identity/element-registry.ts';
import { createScrubber } from '../secrets/scrub.ts';
import { fullNameOf } from './accessible-name.ts';
import type { ListenerHint } from './actionable.ts';
import { type BudgetOptions, type Filtered, fitBudget, fitContext, nodeBudget } from './budget.ts';
import type { ShadowRootOf } from './composed-tree.ts';
import { createContextGatherer } from './context-text.ts';
import { pageScroll } from './scrollable.ts';
import { fullKeyNode, semanticNode } from './semantic-node.ts';
import { look, type Sighting } from './viewport.ts';
import { viewOf } from './walk.ts';
import { withWalkCache } from './walk-cache.ts';

export interface SnapshotOptions extends BudgetOptions {
  /** `viewport` (visible now) by default, or the whole page. */
  readonly scope?: 'viewport' | 'page';
  /** Limits the snapshot to the element with this id, wherever it lies. */
  readonly region?: string;
  /** Includes bounding boxes. */
  readonly boxes?: boolean;
  /** Includes headings and texts in view. */
  readonly context?: boolean;
  /** `json`: V3 nodes. `lines`: also as text for a model. `full_keys`: also as V2 nodes. */
  readonly form?: 'json' | 'lines' | 'full_keys';
}

/** A cross-origin frame, which the host reads and adds with `stitch`. */
export interface FrameInfo {
  readonly f: number;
  readonly id: string;
  readonly url: string;
  /** Origin and size of its document, in page coordinates. */
  readonly box: readonly [number, number, number, number];
}

export interface Snapshot extends Omit<Filtered, 'indexes'> {
  readonly snapshot_id: string;
  readonly hash: string;
  readonly page: SemanticPage;
  readonly context: readonly ContextLine[];
  readonly frames: readonly FrameInfo[];
  /** One line for each frame that the host keeps closed. */
  readonly closed_frames?: readonly string[];
  readonly text?: string;
  readonly semanticNodes?: readonly SemanticNodeV2[];
}

export interface SnapshotContext {
  readonly document: Document;
  readonly registry: ElementRegistry;
  readonly shadowRootOf: ShadowRootOf;
  readonly listenerHint: ListenerHint | undefined;
}

export type Picture = Omit<Snapshot, 'snapshot_id'>;

/** Takes a snapshot. */
export function takePicture(snapshotContext: SnapshotContext, options: SnapshotOptions): Picture {
  return withWalkCache(() => picture(snapshotContext, options));
}

function picture(snapshotContext: SnapshotContext, options: SnapshotOptions): Picture {
  const { document, registry } = snapshotContext;
  const region = options.region === undefined ? undefined : liveElement(registry, options.region);
  const inViewOnly = region === undefined && options.scope !== 'page';
  const view = viewOf(document);
  const gatherer =
    options.context === true || options.query !== undefined ? createContextGatherer(inViewOnly) : undefined;
  const seen = look([region ?? document.documentElement], view, {
    ...snapshotContext,
    inViewOnly,
    ...(gatherer && { onElement: gatherer.visit, onRestart: gatherer.clear }),
  });
  const { sightings } = seen;
  const clean = createScrubber(seen.documents).text;
  const nodes = sightings.map((sighting) => semanticNode(sighting, registry, clean, options.boxes === true));
  const context =
    gatherer === undefined
      ? []
      : contextLines(gatherer, sightings, nodes).map((line) => ({ ...line, text: clean(line.text) }));
  const { indexes, ...filtered } = fitBudget(
    nodes,
    nodeBudget(options),
    rendererOf(options),
    aboutOf(context),
  );
  const kept = indexes.flatMap((index) => nodes[index] ?? []);
  rememberAll(sightings, nodes, registry);
  const wanted = options.context === true ? shiftContext(context, indexes, nodes.length) : [];
  const shownContext = fitContext(wanted, kept, options);
  return {
    hash: hashTree(kept),
    page: pageOf(document, clean, kept, view.seen),
    context: shownContext,
    frames: seen.foreignFrames.map((frame) => frameInfo(frame, registry, clean)),
    ...filtered,
    ...(options.form === 'lines' && { text: formatLines(kept, shownContext) }),
    ...(options.form === 'full_keys' && {
      semanticNodes: indexes.flatMap((index) => {
        const sighting = sightings[index];
        return sighting === undefined ? [] : fullKeyNode(sighting, registry, clean);
      }),
    }),
  };
}

function pageOf(
  document: Document,
  clean: (text: string) => string,
  nodes: readonly SemanticNode[],
  seen: { right: number; bottom: number },
): SemanticPage {
  const scrollables = nodes.flatMap(({ i, scr }) =>
    scr === undefined ? [] : { id: i, depth: scr.depth, hasMore: scr.h },
  );
  return {
    mode: 'semantic',
    url: clean(document.URL),
    title: clean(document.title).slice(0, 500),
    interactive_tree: [...nodes],
    viewport: { width: seen.right, height: seen.bottom },
    scrollPosition: pageScroll(document),
    ...(scrollables.length > 0 && { scrollableContainers: scrollables }),
  };
}

function rendererOf({ form }: SnapshotOptions): (nodes: readonly SemanticNode[]) => string {
  return form === 'lines' ? formatLines : (nodes) => JSON.stringify(nodes);
}

function contextLines(
  gatherer: ReturnType<typeof createContextGatherer>,
  sightings: readonly Sighting[],
  nodes: readonly SemanticNode[],
): ContextLine[] {
  const names = new Set([...nodes.map(({ n }) => n), ...sightings.map(({ element }) => fullNameOf(element))]);
  return gatherer.lines(sightings, names);
}

/** The heading above a node, else the last text before it. */
function aboutOf(context: readonly ContextLine[]): (index: number) => string {
  const headings = context.filter(({ kind }) => kind === 'heading');
  const lines = headings.length > 0 ? headings : context;
  return (index) => lines.findLast(({ at }) => at <= index)?.text ?? '';
}

function shiftContext(
  context: readonly ContextLine[],
  indexes: readonly number[],
  total: number,
): ContextLine[] {
  if (indexes.length === total) return [...context];
  return context.map((line) => ({ ...line, at: indexes.filter((index) => index < line.at).length }));
}

function rememberAll(
  sightings: readonly Sighting[],
  nodes: readonly SemanticNode[],
  registry: ElementRegistry,
): void {
  sightings.forEach((sighting, index) => {
    const id = nodes[index]?.i;
    if (id === undefined) return;
    registry.remember(id, asRemembered(sighting.element, neighboursOf(nodes, index)));
  });
}

function frameInfo(
  { element, view }: { element: Element; view: Sighting['view'] },
  registry: ElementRegistry,
  clean: (text: string) => string,
): FrameInfo {
  const box = element.getBoundingClientRect();
  return {
    f: registry.frameNumberOf(element),
    id: registry.idOf(element),
    url: clean(element.getAttribute('src') ?? ''),
    box: [
      Math.round(view.left + box.left + element.clientLeft),
      Math.round(view.top + box.top + element.clientTop),
      Math.round(element.clientWidth),
      Math.round(element.clientHeight),
    ],
  };
}
