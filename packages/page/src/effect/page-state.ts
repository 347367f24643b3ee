import { hasLeft, recogniseElements } from '../heal/recognition.ts';
import { asRemembered, type Marks, marksOf, neighboursOf } from '../heal/remembered.ts';
import type { ElementRegistry, Fingerprint } from '../identity/element-registry.ts';
import { namesIn } from '../perceive/accessible-name.ts';
import type { ListenerHint } from '../perceive/actionable.ts';
import { frameDocument, type ShadowRootOf } from '../perceive/composed-tree.ts';
import type { ListenerKinds } from '../perceive/possible-target.ts';
import { kindOf, semanticNode, viewName } from '../perceive/semantic-node.ts';
import { exactValueOf } from '../perceive/state.ts';
import { lookAt, type Sighting } from '../perceive/viewport.ts';
import { type Answers, withWalkCache } from '../perceive/walk-cache.ts';
import { isField, rawValueOf } from '../secrets/secret-field.ts';
import { longestAnimation } from '../watch/stability.ts';
import { type Appearance, appearanceOf } from './appearance.ts';

/** The state of one visible element that is needed to detect a change. */
export interface NodeState {
  readonly i: string;
  readonly r: string;
  readonly n: string;
  readonly v?: string;
  readonly s?: string;
  /** The row of a new element that is named like another. */
  readonly in?: string;
}

/** The page at one moment: pressable elements by id, and how everything in view looks. */
export interface PageState {
  readonly url: string;
  readonly title: string;
  readonly nodes: ReadonlyMap<string, NodeState>;
  readonly appearance: Appearance;
  readonly focus: Element | undefined;
  /** The innermost element under the pointer. */
  readonly hovered: Element | undefined;
  readonly selection: string;
  /** Positions of everything that scrolls. */
  readonly scroll: ReadonlyMap<Element, string>;
  /** Names of all elements in view, for a walk at the same moment. */
  readonly names: Answers;
  /** Computes further identity facts of elements in view while idle, so that later lookups are faster. */
  readonly recognise: (hasTime: () => boolean) => void;
  /** Whether state that causes no DOM mutation is unchanged too. */
  readonly isStill: () => boolean;
  /** Identity facts of an element of this state, before the page changes again. */
  readonly marksOf: (element: Element) => Marks;
  /** The fingerprint of a node of this state, to be stored when an agent is told of the node. */
  readonly fingerprintOf: (id: string) => Fingerprint | undefined;
}

export interface PageStateContext {
  readonly document: Document;
  readonly registry: ElementRegistry;
  readonly shadowRootOf: ShadowRootOf;
  readonly listenerHint?: ListenerHint | undefined;
  readonly listenerKinds?: ListenerKinds | undefined;
}

/** Looks without storing fingerprints: unreported elements must not count as seen by an agent (INT-212). */
export function pageStateOf(context: PageStateContext, isAfterAct = false): PageState {
  const { document, registry, shadowRootOf, listenerHint, listenerKinds } = context;
  const answers: Answers = new Map();
  return withWalkCache(() => {
    const options = { shadowRootOf, listenerHint, listenerKinds, withPossible: true, inViewOnly: true };
    const seen = lookAt(document, options);
    const appearance = appearanceOf(document, shadowRootOf);
    // Elements that the act drew again keep their ids, as in a look (INT-297).
    if (isAfterAct) {
      const elements = new Set(seen.map(({ element }) => element));
      recogniseElements([...elements, ...redrawnIn(appearance, elements, registry)], registry, hasLeft);
    }
    const nodes = seen.map((sighting): NodeState => {
      const { i, n: name, v, s, r: role } = semanticNode(sighting, registry, String, false);
      const kind = kindOf(sighting);
      const r = sighting.reason === 'maybe' || kind === 'box' ? kind : role;
      const n = kind === 'box' ? viewName(sighting) : name;
      const value = v === undefined ? undefined : (exactValueOf(sighting.element) ?? v);
      return { i, r, n, ...(value !== undefined && { v: value }), ...(s !== undefined && { s }) };
    });
    const fields = seen.flatMap(({ element }) => (isField(element) ? element : []));
    const focused = () => focusIn(document, shadowRootOf);
    const scroll = () => scrollMark(document, seen);
    const untold = () => {
      const { clientWidth, clientHeight } = document.documentElement;
      const held = fields.map((field) => `${rawValueOf(field)} ${field.matches(':checked')}`);
      return [...scroll().values(), clientWidth, clientHeight, selectionIn(document), ...held].join();
    };
    const names = namesIn(answers);
    const focus = focused();
    const then = untold();
    // A script animation ends without an event.
    const isMoving = longestAnimation(document.getAnimations()) > 0;
    return {
      url: document.URL,
      title: document.title,
      nodes: new Map(nodes.map((node) => [node.i, node])),
      appearance,
      focus,
      hovered: [...document.querySelectorAll(':hover')].at(-1),
      selection: selectionIn(document),
      scroll: scroll(),
      names,
      recognise: (hasTime) =>
        withWalkCache(() => {
          for (const { element } of seen) if (hasTime()) marksOf(element);
        }, names),
      marksOf: (element) => withWalkCache(() => marksOf(element), names),
      isStill: () => !isMoving && untold() === then && focused() === focus,
      fingerprintOf(id) {
        const index = nodes.findIndex(({ i }) => i === id);
        const element = seen[index]?.element;
        return element?.isConnected ? asRemembered(element, neighboursOf(nodes, index)) : undefined;
      },
    };
  }, answers);
}

/** Elements like lost ones, drawn again: a host has not learned yet what listens on them. */
function redrawnIn(
  appearance: Appearance,
  listed: ReadonlySet<Element>,
  registry: ElementRegistry,
): Element[] {
  const kindOfElement = ({ localName, classList }: Element) => `${localName}.${classList[0]}`;
  const lost = registry.recentlySeen(MOST_LOST).flatMap(([id, remembered]) => {
    const element = registry.elementOf(id);
    return element !== undefined && hasLeft(element, remembered) ? kindOfElement(element) : [];
  });
  const kinds = new Set(lost);
  if (kinds.size === 0) return [];
  return [...appearance.keys()].filter(
    (element) =>
      !listed.has(element) && kinds.has(kindOfElement(element)) && registry.knownIdOf(element) === undefined,
  );
}

const MOST_LOST = 200;

/** The element and those around it at the time of a look, whatever has been removed since. */
export function lineIn(looks: Appearance, element: Element): Element[] {
  const line = [element];
  for (let outer = looks.get(element)?.parent; outer !== undefined; outer = looks.get(outer)?.parent)
    line.push(outer);
  return line;
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

const selectionIn = (document: Document): string => document.getSelection()?.toString() ?? '';

function scrollMark(document: Document, seen: readonly Sighting[]): ReadonlyMap<Element, string> {
  const boxes = seen.flatMap(({ element, scrolls }) => (scrolls === undefined ? [] : element));
  const all = [document.scrollingElement ?? document.documentElement, ...boxes];
  return new Map(
    all.map((box) => [box, `${Math.round(box.scrollLeft)},${Math.round(box.scrollTop)}`] as const),
  );
}
