import { asRemembered } from '../heal/remembered.ts';
import type { ElementRegistry } from '../identity/element-registry.ts';
import { nameOf } from '../perceive/accessible-name.ts';
import { frameDocument, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { shortRole } from '../perceive/role.ts';
import { actingRole } from '../perceive/semantic-node.ts';
import { look, type Sighting } from '../perceive/sight.ts';
import { shownValueOf, stateOf } from '../perceive/state.ts';
import { viewOf } from '../perceive/walk.ts';
import { withWalkCache } from '../perceive/walk-cache.ts';
import { withoutWrappers } from '../perceive/wrapper.ts';

/** One thing in view, as small as it takes to tell whether it changed. */
export interface NodeState {
  readonly i: string;
  readonly r: string;
  readonly n: string;
  readonly v?: string;
  readonly s?: string;
}

/** What can be seen and pressed at one moment. */
export interface PageState {
  readonly url: string;
  readonly title: string;
  readonly nodes: ReadonlyMap<string, NodeState>;
  readonly focus: Element | undefined;
  readonly scroll: string;
  /** Lets the registry know a node as it was in this state: somebody is about to be told of it. */
  readonly remember: (id: string) => void;
}

export interface PageScene {
  readonly document: Document;
  readonly registry: ElementRegistry;
  readonly shadowRootOf: ShadowRootOf;
}

/** Looks without remembering: what no agent was told of must not count as seen by one (INT-212). */
export function pageStateOf({ document, registry, shadowRootOf }: PageScene): PageState {
  return withWalkCache(() => {
    const { sightings } = look([document.documentElement], viewOf(document), {
      shadowRootOf,
      listenerHint: undefined,
      inViewOnly: true,
    });
    const seen = withoutWrappers(sightings);
    const entries = seen.map((sighting, place) => ({ node: nodeState(sighting, registry), sighting, place }));
    const places = new Map(entries.map(({ node, place }) => [node.i, place]));
    return {
      url: document.URL,
      title: document.title,
      nodes: new Map(entries.map(({ node }) => [node.i, node])),
      focus: focusIn(document, shadowRootOf),
      scroll: scrollMark(document, seen),
      remember(id) {
        const place = places.get(id);
        const entry = place === undefined ? undefined : entries[place];
        if (place === undefined || entry === undefined || !entry.sighting.element.isConnected) return;
        const nameAt = (at: number) => entries[at]?.node.n ?? '';
        registry.remember(id, asRemembered(entry.sighting.element, [nameAt(place - 1), nameAt(place + 1)]));
      },
    };
  });
}

function nodeState(sighting: Sighting, registry: ElementRegistry): NodeState {
  const { element, reason } = sighting;
  const v = shownValueOf(element);
  const s = stateOf(element);
  return {
    i: registry.idOf(element),
    r: shortRole(actingRole(sighting)),
    n: reason === undefined ? '' : nameOf(element),
    ...(v !== undefined && { v }),
    ...(s !== undefined && { s }),
  };
}

/** The element with the focus, through shadow roots and frames; none when the whole page has it. */
export function focusIn(document: Document, shadowRootOf: ShadowRootOf): Element | undefined {
  let focused = document.activeElement;
  while (focused !== null) {
    const inside: Element | null =
      shadowRootOf(focused)?.activeElement ?? frameDocument(focused)?.activeElement ?? null;
    if (inside === null || inside.localName === 'body') break;
    focused = inside;
  }
  return focused === null || focused.localName === 'body' ? undefined : focused;
}

function scrollMark(document: Document, seen: readonly Sighting[]): string {
  const boxes = seen.flatMap(({ element, scrolls }) => (scrolls === undefined ? [] : element));
  const all = [document.scrollingElement ?? document.documentElement, ...boxes];
  return all
    .map(({ scrollLeft, scrollTop }) => `${Math.round(scrollLeft)},${Math.round(scrollTop)}`)
    .join(' ');
}
