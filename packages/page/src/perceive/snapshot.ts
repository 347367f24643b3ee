import {
  type ContextLine,
  estimateTokens,
  formatLines,
  formatView,
  hashTree,
  type SemanticNode,
  type SemanticNodeV2,
  type SemanticPage,
} from '@drawbridge/protocol/semantic';
import type { Effect } from '../effect/effect.ts';
import { recogniseElements } from '../heal/recognition.ts';
import { asRemembered, neighboursOf } from '../heal/remembered.ts';
import { type ElementRegistry, liveElement } from '../identity/element-registry.ts';
import { createScrubber } from '../secrets/scrub.ts';
import type { ListenerHint } from './actionable.ts';
import { type BudgetOptions, type Filtered, fitBudget, fitContext, nodeBudget } from './budget.ts';
import type { ShadowRootOf } from './composed-tree.ts';
import { createContextGatherer } from './context-text.ts';
import type { ListenerKinds } from './possible-target.ts';
import { pageScroll } from './scrollable.ts';
import { fullKeyNode, holdsText, semanticNode, viewNode } from './semantic-node.ts';
import { withLevels } from './tree-levels.ts';
import { aboutIn, fitView } from './view-budget.ts';
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
  /**
   * `json`: V3 nodes. `lines`: also as text for a model. `full_keys`: also as V2 nodes. `view`: nodes and
   * texts as exactly as an agent needs them, with things that may react.
   */
  readonly form?: 'json' | 'lines' | 'full_keys' | 'view';
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
  /** Nodes outside the viewport that a view leaves out. */
  readonly beyond?: number;
  /** One line for each frame that the host keeps closed. */
  readonly closed_frames?: readonly string[];
  readonly text?: string;
  readonly semanticNodes?: readonly SemanticNodeV2[];
  /** Changes since the report of the last act. */
  readonly late?: Effect;
}

export interface SnapshotContext {
  readonly document: Document;
  readonly registry: ElementRegistry;
  readonly shadowRootOf: ShadowRootOf;
  readonly listenerHint: ListenerHint | undefined;
  readonly listenerKinds?: ListenerKinds | undefined;
}

export type Picture = Omit<Snapshot, 'snapshot_id'>;

/** Takes a snapshot. */
export function takePicture(snapshotContext: SnapshotContext, options: SnapshotOptions): Picture {
  return withWalkCache(() => picture(snapshotContext, options));
}

function picture(snapshotContext: SnapshotContext, options: SnapshotOptions): Picture {
  if (options.form === 'view') return viewPicture(snapshotContext, options);
  const isTextWanted = options.context === true || options.query !== undefined;
  const seen = sightIn(snapshotContext, options, isTextWanted);
  const { registry } = snapshotContext;
  const { sightings, context, clean } = seen;
  const nodes = sightings.map((sighting) => semanticNode(sighting, registry, clean, options.boxes === true));
  const { indexes, ...filtered } = fitBudget(
    nodes,
    nodeBudget(options),
    rendererOf(options),
    aboutIn(context),
  );
  const kept = indexes.flatMap((index) => nodes[index] ?? []);
  rememberAll(sightings, nodes, registry);
  const wanted = options.context === true ? shiftContext(context, indexes, nodes.length) : [];
  const shownContext = fitContext(wanted, kept, options);
  return {
    ...whole(seen, snapshotContext, kept),
    context: shownContext,
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

/** A page of at most this size is viewed whole, whatever part of it is in view. */
const SMALL_ELEMENTS = 1_500;
const SMALL_TOKENS = 600;

function viewPicture(snapshotContext: SnapshotContext, options: SnapshotOptions): Picture {
  const { registry, document } = snapshotContext;
  const asked = options.region !== undefined || options.scope !== undefined;
  const isSmall = document.getElementsByTagName('*').length <= SMALL_ELEMENTS;
  const wholePage = !asked && isSmall ? viewOfPage({ ...options, scope: 'page' }) : undefined;
  const isShort =
    wholePage !== undefined &&
    estimateTokens(formatView(wholePage.nodes, wholePage.context)) <=
      Math.min(SMALL_TOKENS, options.max_tokens ?? Infinity);
  const { seen, nodes, context } =
    wholePage !== undefined && (isShort || options.query !== undefined) ? wholePage : viewOfPage(options);
  const { indexes, ...fitted } = fitView(nodes, context, options);
  const kept = indexes.flatMap((index) => nodes[index] ?? []);
  rememberAll(seen.sightings, nodes, registry);
  const beyond = wholePage === undefined ? 0 : wholePage.nodes.length - nodes.length;
  const goesOn = wholePage !== undefined && wholePage.context.length > context.length;
  return {
    ...whole(seen, snapshotContext, kept),
    ...fitted,
    ...((beyond > 0 || goesOn) && { beyond: Math.max(0, beyond) }),
  };

  function viewOfPage(within: SnapshotOptions) {
    const looked = sightIn(snapshotContext, within, true);
    const { sightings, clean } = looked;
    return {
      seen: looked,
      nodes: withLevels(
        sightings,
        sightings.map((sighting) => viewNode(sighting, registry, clean)),
      ),
      context: looked.context,
    };
  }
}

/** Elements and texts of the page, or of the part that is asked for. */
function sightIn(snapshotContext: SnapshotContext, options: SnapshotOptions, isTextWanted: boolean) {
  const { document, registry, shadowRootOf } = snapshotContext;
  const region = options.region === undefined ? undefined : liveElement(registry, options.region);
  const inViewOnly = region === undefined && options.scope !== 'page';
  const view = viewOf(document);
  const gatherer = isTextWanted ? createContextGatherer(inViewOnly) : undefined;
  const root = region ?? document.documentElement;
  const seen = look([root], view, {
    ...snapshotContext,
    inViewOnly,
    withPossible: options.form === 'view',
    ...(gatherer && { onElement: gatherer.visit, onRestart: gatherer.clear }),
  });
  recogniseElements(
    seen.sightings.map(({ element }) => element),
    registry,
  );
  const clean = createScrubber(seen.documents).text;
  const lines = gatherer?.lines(root, seen.sightings, {
    shadowRootOf,
    saysAll: (sighting) => !holdsText(sighting),
  });
  const context = (lines ?? []).map((line) => ({ ...line, text: clean(line.text) }));
  return { ...seen, view, clean, context };
}

function whole(
  { view, clean, foreignFrames }: ReturnType<typeof sightIn>,
  { document, registry }: SnapshotContext,
  kept: readonly SemanticNode[],
) {
  return {
    hash: hashTree(kept),
    page: pageOf(document, clean, kept, view.seen),
    frames: foreignFrames.map((frame) => frameInfo(frame, registry, clean)),
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
