import type { InteractRequest } from '@drawbridge/protocol';
import { hashTree, type SemanticNode, type SemanticNodeV2, SHORT_ROLES } from '@drawbridge/protocol/semantic';
import { originOf } from './fence.ts';

/** The page in a request, from whichever artifacts came. */
export interface PageView {
  readonly url: string;
  readonly origin: string;
  readonly title: string;
  readonly nodes: readonly SemanticNode[];
  /** Skeleton, or else the DOM. */
  readonly html: string | undefined;
  /** Hash of the content, independent of the scroll position. */
  readonly hash: string;
}

export function viewOf(request: InteractRequest): PageView {
  const nodes = nodesOf(request);
  const html = nonEmpty(request.dom) ?? nonEmpty(request.skeletonDom);
  const seen = nodes.length > 0 ? nodes.map(comparable) : [{ i: '', r: 'html', n: html ?? '' }];
  return {
    url: request.url,
    origin: originOf(request.url),
    title: request.pageTitle ?? request.title ?? '',
    nodes,
    html,
    hash: `${hashTree(seen)} ${request.url}`,
  };
}

const LONGEST_NAME = 100;
const LONGEST_VALUE = 200;

/** A node without its position, for storage and comparison: scrolling alone is no change. */
export function comparable({ xy: _xy, box: _box, ...node }: SemanticNode): SemanticNode {
  return {
    ...node,
    n: node.n.slice(0, LONGEST_NAME),
    ...(node.v !== undefined && { v: node.v.slice(0, LONGEST_VALUE) }),
  };
}

function nodesOf({ interactiveTree = [], semanticNodes = [] }: InteractRequest): readonly SemanticNode[] {
  return interactiveTree.length > 0 ? interactiveTree : semanticNodes.map(shortNode);
}

const SHORT = new Map<string, string>(Object.entries({ ...SHORT_ROLES, input: 'inp', select: 'sel' }));

function shortNode({ id, role, name, value, state, frameId }: SemanticNodeV2): SemanticNode {
  return {
    i: id,
    r: SHORT.get(role) ?? role,
    n: name,
    ...(value !== undefined && { v: value }),
    ...(state !== undefined && { s: state }),
    ...(frameId && { f: frameId }),
  };
}

const ID_ATTRIBUTE = /\s(?:data-llm-id|id)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;

/** Every id that an action may name (INT-119). */
export function idsOf(view: PageView): ReadonlySet<string> {
  const inHtml = [...(view.html ?? '').matchAll(ID_ATTRIBUTE)].map(
    (match) => match[1] ?? match[2] ?? match[3],
  );
  return new Set([...view.nodes.map(({ i }) => i), ...inHtml].filter((id) => id !== undefined));
}

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
