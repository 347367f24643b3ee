import { asRemembered, marksOf, neighboursOf } from '../heal/remembered.ts';
import type { ElementRegistry } from '../identity/element-registry.ts';
import { namesIn } from '../perceive/accessible-name.ts';
import { frameDocument, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { semanticNode } from '../perceive/semantic-node.ts';
import { lookAt, type Sighting } from '../perceive/viewport.ts';
import { type Answers, withWalkCache } from '../perceive/walk-cache.ts';
import { isField, rawValueOf } from '../secrets/secret-field.ts';

/** The state of one visible element that is needed to detect a change. */
export interface NodeState {
  readonly i: string;
  readonly r: string;
  readonly n: string;
  readonly v?: string;
  readonly s?: string;
}

/** Visible and pressable elements at one moment. */
export interface PageState {
  readonly url: string;
  readonly title: string;
  readonly nodes: ReadonlyMap<string, NodeState>;
  readonly focus: Element | undefined;
  readonly scroll: string;
  /** Names of all elements in view, for a walk at the same moment. */
  readonly names: Answers;
  /** Computes further identity facts of elements in view while idle, so that later lookups are faster. */
  readonly recognise: (hasTime: () => boolean) => void;
  /** Whether state that causes no DOM mutation is unchanged too. */
  readonly isStill: () => boolean;
  /** Stores a node's fingerprint from this state, before an agent is told of the node. */
  readonly remember: (id: string) => void;
}

export interface PageStateContext {
  readonly document: Document;
  readonly registry: ElementRegistry;
  readonly shadowRootOf: ShadowRootOf;
}

/** Looks without storing fingerprints: unreported elements must not count as seen by an agent (INT-212). */
export function pageStateOf({ document, registry, shadowRootOf }: PageStateContext): PageState {
  const answers: Answers = new Map();
  return withWalkCache(() => {
    const seen = lookAt(document, shadowRootOf, true);
    const nodes = seen.map((sighting): NodeState => {
      const { i, r, n, v, s } = semanticNode(sighting, registry, String, false);
      return { i, r, n, ...(v !== undefined && { v }), ...(s !== undefined && { s }) };
    });
    const fields = seen.flatMap(({ element }) => (isField(element) ? element : []));
    const focused = () => focusIn(document, shadowRootOf);
    const scroll = () => scrollMark(document, seen);
    const untold = () => {
      const { clientWidth, clientHeight } = document.documentElement;
      const held = fields.map((field) => `${rawValueOf(field)} ${field.matches(':checked')}`);
      return [scroll(), clientWidth, clientHeight, ...held].join();
    };
    const names = namesIn(answers);
    const focus = focused();
    const then = untold();
    return {
      url: document.URL,
      title: document.title,
      nodes: new Map(nodes.map((node) => [node.i, node])),
      focus,
      scroll: scroll(),
      names,
      recognise: (hasTime) =>
        withWalkCache(() => {
          for (const { element } of seen) if (hasTime()) marksOf(element);
        }, names),
      isStill: () => untold() === then && focused() === focus,
      remember(id) {
        const index = nodes.findIndex(({ i }) => i === id);
        const element = seen[index]?.element;
        if (element?.isConnected) registry.remember(id, asRemembered(element, neighboursOf(nodes, index)));
      },
    };
  }, answers);
}

/** The focused element, through shadow roots and frames; undefined when the page itself has the focus. */
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
