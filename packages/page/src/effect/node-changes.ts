import { diffTrees } from '@drawbridge/protocol/semantic';
import { isRecounted, isSameElement } from '../heal/match.ts';
import { reasonToList } from '../perceive/actionable.ts';
import { lineOf } from '../perceive/composed-tree.ts';
import { cutText, tidy } from '../perceive/text.ts';
import { isOutOfView } from './appearance.ts';
import type { Between } from './effect.ts';
import { lineIn, type NodeState, type PageState } from './page-state.ts';
import type { Clean } from './visible-change.ts';

export interface NodeEdit {
  readonly i: string;
  /** New fields only; an empty string for a removed one. */
  readonly r?: string;
  readonly n?: string;
  readonly v?: string;
  readonly s?: string;
  /** The states that it had, when it has none now. */
  readonly lost?: string;
}

interface NodeChanges {
  readonly added: readonly NodeState[];
  readonly removed: readonly NodeState[];
  readonly changed: readonly NodeEdit[];
  readonly renewed: number;
  /** Changed in a number of their names alone. */
  readonly recounted: readonly string[];
}

export function nodeChanges({ before, after, background, elementOf, rememberedOf }: Between): NodeChanges {
  const scrolled = [...after.scroll].some(([box, place]) => (before.scroll.get(box) ?? place) !== place);
  const touched = background.touched();
  /** The agent knows it, and only a scroll brought it into view. */
  const isScrolledIn = (id: string): boolean => {
    const element = elementOf(id);
    return (
      scrolled &&
      element !== undefined &&
      rememberedOf(id) !== undefined &&
      !lineOf(element).some((outer) => touched.has(outer))
    );
  };
  const isAway = (id: string): boolean => {
    const element = elementOf(id);
    return element !== undefined && isOutOfView(element);
  };
  const diff = diffTrees([...before.nodes.values()], [...after.nodes.values()]);
  const stirred = background.stirred();
  const isAlone = (id: string, { appearance }: PageState): boolean => {
    const element = elementOf(id);
    if (element === undefined || stirred.size === 0) return false;
    return (
      lineIn(appearance, element).some((outer) => stirred.has(outer)) ||
      [...stirred].some((each) => element.contains(each))
    );
  };
  /** A host learns of listeners at any time: an element that was and is in view has not come or gone. */
  const isOnlyNoticed = (id: string): boolean => {
    const element = elementOf(id);
    return (
      element !== undefined &&
      before.appearance.has(element) &&
      after.appearance.has(element) &&
      reasonToList(element) === undefined
    );
  };
  const removed = diff.removed.flatMap((id) => before.nodes.get(id) ?? []);
  /** The same thing, drawn again: not the button of another row that has its name. */
  const isTwin = (gone: NodeState, node: NodeState, inSameRow: boolean): boolean => {
    if (contentOf(gone) !== contentOf(node)) return false;
    const [known, element] = [rememberedOf(gone.i), elementOf(node.i)];
    if (known === undefined || element === undefined) return true;
    const now = after.marksOf(element);
    if (known.belongs === now.belongs) return isSameElement(known, now);
    // The arrow of another row is another one, though arrows turn pages.
    return !inSameRow && /\p{L}/u.test(node.n) && isSameElement(known, now);
  };
  const added = diff.added.filter(({ node }) => {
    const here = removed.findIndex((gone) => isTwin(gone, node, true));
    const twin = here >= 0 ? here : removed.findIndex((gone) => isTwin(gone, node, false));
    if (twin >= 0) removed.splice(twin, 1);
    return twin < 0;
  });
  /** Drawn again, though what listens on it is not known yet. */
  const isRedrawn = (id: string): boolean => {
    const element = elementOf(id);
    return element !== undefined && after.appearance.has(element) && !before.appearance.has(element);
  };
  const isReal = (id: string, state: PageState) => !isAlone(id, state) && !isOnlyNoticed(id);
  return {
    added: added.flatMap(({ node }) => (isReal(node.i, after) && !isScrolledIn(node.i) ? node : [])),
    removed: removed.filter(({ i }) => isReal(i, before) && !isRedrawn(i) && !isAway(i)),
    changed: diff.changed.flatMap(({ i, set: { r, ...set }, unset = [] }) => {
      const isKindKnown = r !== undefined && !(r === 'text' && isRedrawn(i));
      const edit = {
        ...(isKindKnown && { r }),
        ...set,
        ...Object.fromEntries(unset.map((field) => [field, ''])),
      };
      if (isAlone(i, after) || Object.keys(edit).length === 0) return [];
      const lost = unset.includes('s') ? before.nodes.get(i)?.s : undefined;
      return { i, ...edit, ...(lost !== undefined && { lost }) };
    }),
    renewed: diff.added.length - added.length,
    recounted: diff.changed.flatMap(({ i, set }) => {
      const [was, now] = [before.nodes.get(i), after.nodes.get(i)];
      if (set.n === undefined || was === undefined || now === undefined) return [];
      return isRecounted({ role: was.r, name: was.n, text: '' }, { role: now.r, name: now.n, text: '' })
        ? i
        : [];
    }),
  };
}

function contentOf({ r, n, v, s }: NodeState): string {
  return JSON.stringify([r, n, v, s]);
}

const MOST_LISTED = 10;

/** The nodes nearest to the act, and the others in words. */
export function listed({ added, removed, changed, renewed, recounted }: NodeChanges, between: Between) {
  const { before, after, clean } = between;
  const [came, left, edited] = [
    nearestFirst(added, after, between),
    nearestFirst(removed, before, between),
    nearestFirst(changed, after, between),
  ];
  const more = [came, left, edited].reduce((sum, list) => sum + Math.max(0, list.length - MOST_LISTED), 0);
  const shown = <Node extends NodeEdit>(nodes: readonly Node[]) =>
    nodes.slice(0, MOST_LISTED).map((node) => cleanNode(node, clean));
  const told = came.slice(0, MOST_LISTED);
  const nodeNow = ({ i }: NodeEdit) => after.nodes.get(i) ?? [];
  const unlisted = [
    ...inKinds('new', came.slice(MOST_LISTED), clean),
    ...inKinds('changed', edited.slice(MOST_LISTED).flatMap(nodeNow), clean),
    ...inKinds('gone', left.slice(MOST_LISTED), clean),
  ];
  return {
    added: shown(told.map((node) => withRow(node, between))),
    removed: shown(left),
    changed: shown(edited),
    ...(renewed > 0 && { renewed }),
    ...(recounted.length > 0 && { recounted }),
    ...(more > 0 && { more, unlisted }),
  };
}

/** Names the row of a button that is named like those of other rows. */
function withRow(node: NodeState, { after, elementOf }: Between): NodeState {
  const isAlike = (other: NodeState) => other.i !== node.i && other.n === node.n && other.r === node.r;
  const element = [...after.nodes.values()].some(isAlike) ? elementOf(node.i) : undefined;
  const row = element === undefined ? '' : (after.marksOf(element).belongs ?? '');
  return row === '' ? node : { ...node, in: cutText(row, FIRST * 2) };
}

/** Near is a common container of few levels, with the pressed element or with the one that has the focus now. */
function nearestFirst<Node extends NodeEdit>(
  nodes: readonly Node[],
  { appearance }: PageState,
  { before, after, acted, elementOf }: Between,
): Node[] {
  const anchors = [acted, before.focus === after.focus ? undefined : after.focus];
  const lines = anchors.flatMap((anchor) => {
    if (anchor === undefined) return [];
    const line = before.appearance.has(anchor) ? lineIn(before.appearance, anchor) : lineOf(anchor);
    return [new Map(line.map((element, index) => [element, index]))];
  });
  if (lines.length === 0 || nodes.length < 2) return [...nodes];
  const far = Number.MAX_SAFE_INTEGER;
  const distanceOf = ({ i }: Node): number => {
    const element = elementOf(i);
    if (element === undefined) return far;
    const around = appearance.has(element) ? lineIn(appearance, element) : lineOf(element);
    return Math.min(
      ...lines.map((line) => {
        const common = around.find((outer) => line.has(outer));
        return (common && line.get(common)) ?? far;
      }),
    );
  };
  const distances = new Map(nodes.map((node) => [node, distanceOf(node)]));
  return nodes.toSorted((one, other) => (distances.get(one) ?? far) - (distances.get(other) ?? far));
}

function inKinds(what: string, nodes: readonly NodeState[], clean: Clean): string[] {
  return [...new Set(nodes.map(({ r }) => r))].map((role) => {
    const all = nodes.filter(({ r }) => r === role);
    const names = [...new Set(all.map(({ n }) => firstWords(clean(n))))].filter((name) => name !== '');
    const first = names.length === 0 ? '' : `: ${firstOf(names)}`;
    return `${all.length} ${what} ${role}${first}`;
  });
}

const FIRST = 24;
const MOST_FIRST = 5;

export const firstWords = (words: string): string => {
  const line = tidy(words);
  return line.length > FIRST ? `${cutText(line, FIRST).trimEnd()}…` : line;
};

export const firstOf = (names: readonly string[]): string =>
  [...names.slice(0, MOST_FIRST), ...(names.length > MOST_FIRST ? ['…'] : [])].join(', ');

function cleanNode<Node extends NodeEdit>(node: Node, clean: Clean): Node {
  return {
    ...node,
    ...(node.n !== undefined && { n: clean(node.n) }),
    ...(node.v !== undefined && { v: clean(node.v) }),
    ...('in' in node && typeof node.in === 'string' && { in: clean(node.in) }),
  };
}
