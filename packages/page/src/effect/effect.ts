import { diffTrees } from '@drawbridge/protocol/semantic';
import type { PageEvent } from '../watch/page-event.ts';
import type { StabilityReason } from '../watch/stability.ts';
import type { NodeState, PageState } from './page-state.ts';

export interface NodeEdit {
  readonly i: string;
  /** New fields only; an empty string for a removed one. */
  readonly r?: string;
  readonly n?: string;
  readonly v?: string;
  readonly s?: string;
}

/** Observed effect of an action. */
export interface Effect {
  /** False: nothing visible changed. */
  readonly happened: boolean;
  readonly url?: { readonly from: string; readonly to: string };
  readonly navigation?: 'document' | 'same_document';
  readonly download?: string;
  readonly added: readonly NodeState[];
  readonly removed: readonly NodeState[];
  readonly changed: readonly NodeEdit[];
  /** Nodes that the page re-rendered unchanged: their old ids heal to the new ones. */
  readonly renewed?: number;
  /** How many more there were than listed. */
  readonly more?: number;
  /** The id of the focused element; null when nothing is focused. */
  readonly focus?: string | null;
  readonly scrolled?: true;
  readonly dialogs: readonly string[];
  readonly requests: number;
  readonly errors: readonly string[];
  readonly successes: readonly string[];
  /** Other messages that appeared, including those that disappeared again. */
  readonly messages: readonly string[];
  readonly settled: StabilityReason;
}

const MOST_LISTED = 10;

export interface Between {
  readonly before: PageState;
  readonly after: PageState;
  readonly events: readonly PageEvent[];
  readonly steps: readonly { readonly to: string; readonly kind: string }[];
  readonly requests: number;
  readonly settled: StabilityReason;
  /** A press focuses its target, which does not count as an effect. */
  readonly acted: Element | undefined;
  readonly idOf: (element: Element) => string;
  readonly clean: (text: string) => string;
}

export function effectBetween(between: Between): Effect {
  const { before, after, events, steps, requests, settled, clean } = between;
  const nodes = nodeChanges(before, after);
  const texts = (...kinds: string[]) =>
    [...new Set(events.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text))].slice(
      -MOST_LISTED,
    );
  const leaving = steps.findLast(({ kind }) => kind === 'document');
  const to = leaving === undefined ? after.url : leaving.to || after.url;
  const download = steps.findLast(({ kind }) => kind === 'download');
  const moved = leaving !== undefined || to !== before.url;
  const hasFocusMoved = before.focus !== after.focus && after.focus !== between.acted;
  const found = {
    ...(moved && { url: { from: clean(before.url), to: clean(to) } }),
    ...(moved && { navigation: leaving === undefined ? ('same_document' as const) : ('document' as const) }),
    ...(download && { download: clean(download.to) }),
    ...listed(nodes, clean),
    ...(hasFocusMoved && { focus: after.focus === undefined ? null : between.idOf(after.focus) }),
    ...(before.scroll !== after.scroll && { scrolled: true as const }),
    dialogs: texts('dialog'),
    requests,
    errors: texts('error'),
    successes: texts('success'),
    messages: texts('added', 'changed', 'closed'),
  };
  const happened =
    moved ||
    download !== undefined ||
    hasFocusMoved ||
    before.scroll !== after.scroll ||
    before.title !== after.title ||
    nodes.added.length + nodes.removed.length + nodes.changed.length + events.length > 0;
  return { happened, ...found, settled };
}

interface NodeChanges {
  readonly added: readonly NodeState[];
  readonly removed: readonly NodeState[];
  readonly changed: readonly NodeEdit[];
  readonly renewed: number;
}

function nodeChanges(before: PageState, after: PageState): NodeChanges {
  const diff = diffTrees([...before.nodes.values()], [...after.nodes.values()]);
  const removed = diff.removed.flatMap((id) => before.nodes.get(id) ?? []);
  const added = diff.added.filter(({ node }) => {
    const twin = removed.findIndex((gone) => contentOf(gone) === contentOf(node));
    if (twin >= 0) removed.splice(twin, 1);
    return twin < 0;
  });
  return {
    added: added.map(({ node }) => node),
    removed,
    changed: diff.changed.map(({ i, set, unset = [] }) => ({
      i,
      ...set,
      ...Object.fromEntries(unset.map((field) => [field, ''])),
    })),
    renewed: diff.added.length - added.length,
  };
}

function contentOf({ r, n, v, s }: NodeState): string {
  return JSON.stringify([r, n, v, s]);
}

function listed({ added, removed, changed, renewed }: NodeChanges, clean: (text: string) => string) {
  const more = [added, removed, changed].reduce(
    (sum, list) => sum + Math.max(0, list.length - MOST_LISTED),
    0,
  );
  const shown = <Node extends NodeEdit>(nodes: readonly Node[]) =>
    nodes.slice(0, MOST_LISTED).map((node) => cleanNode(node, clean));
  return {
    added: shown(added),
    removed: shown(removed),
    changed: shown(changed),
    ...(renewed > 0 && { renewed }),
    ...(more > 0 && { more }),
  };
}

function cleanNode<Node extends NodeEdit>(node: Node, clean: (text: string) => string): Node {
  return {
    ...node,
    ...(node.n !== undefined && { n: clean(node.n) }),
    ...(node.v !== undefined && { v: clean(node.v) }),
  };
}
