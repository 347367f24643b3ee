import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from './cdp.ts';

/** The document from the browser's DOMSnapshot; nodes are named by their index. */
export interface DomPicture {
  elements(): readonly number[];
  nodeOf(backendNodeId: number): number | undefined;
  backendNodeId(node: number): number;
  nodeName(node: number): string;
  attribute(node: number, name: string): string | undefined;
  ancestors(node: number): number[];
  /** True for the node itself. */
  isInside(node: number, outer: number): boolean;
  touchesView(node: number, view: { width: number; height: number }): boolean;
  isTransparent(node: number): boolean;
  labelOf(field: number): number | undefined;
  openingTag(node: number): string;
}

const ELEMENT = 1;
const LONGEST_TAG = 160;

export async function pictureOf(session: CdpSession): Promise<DomPicture> {
  const { documents, strings } = await session.send('DOMSnapshot.captureSnapshot', {
    computedStyles: ['opacity'],
  });
  const [document] = documents;
  if (document === undefined) throw new Error('The page has no document.');
  return createPicture(document, strings);
}

function createPicture(
  { nodes, layout, scrollOffsetX = 0, scrollOffsetY = 0 }: Protocol.DOMSnapshot.DocumentSnapshot,
  strings: readonly string[],
): DomPicture {
  const { parentIndex = [], nodeType = [], backendNodeId = [], attributes = [] } = nodes;
  const names = (nodes.nodeName ?? []).map((index) => (strings[index] ?? '').toUpperCase());
  const places = new Map(backendNodeId.map((id, node) => [id, node]));
  const layoutPlaces = new Map(layout.nodeIndex.map((node, index) => [node, index]));

  const attributePairs = (node: number): [string, string][] => {
    const flat = (attributes[node] ?? []).map((index) => strings[index] ?? '');
    return flat.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : [],
    );
  };
  const attribute = (node: number, wanted: string) =>
    attributePairs(node).find(([name]) => name === wanted)?.[1];
  const ancestors = (node: number): number[] => {
    const found: number[] = [];
    for (let next = parentIndex[node] ?? -1; next >= 0; next = parentIndex[next] ?? -1) found.push(next);
    return found;
  };
  const isInside = (node: number, outer: number) => node === outer || ancestors(node).includes(outer);
  const isElement = (node: number) => nodeType[node] === ELEMENT;
  const opacity = (node: number): number => {
    const place = layoutPlaces.get(node);
    const [index] = place === undefined ? [] : (layout.styles[place] ?? []);
    return index === undefined ? 1 : Number(strings[index] ?? 1);
  };

  return {
    elements: () => nodeType.flatMap((_, node) => (isElement(node) ? node : [])),
    nodeOf: (id) => places.get(id),
    backendNodeId: (node) => backendNodeId[node] ?? -1,
    nodeName: (node) => names[node] ?? '',
    attribute,
    ancestors,
    isInside,
    touchesView(node, { width, height }) {
      // An inline element without text has no box here; its quads are used.
      const index = layoutPlaces.get(node);
      const [left = 0, top = 0, across = width, down = height] =
        (index !== undefined && layout.bounds[index]) || [];
      const [x, y] = [left - scrollOffsetX, top - scrollOffsetY];
      return index !== undefined && x < width && y < height && x + across > 0 && y + down > 0;
    },
    isTransparent: (node) => [node, ...ancestors(node)].some((each) => opacity(each) === 0),
    labelOf(field) {
      const id = attribute(field, 'id');
      const around = ancestors(field).find((node) => names[node] === 'LABEL');
      if (around !== undefined || id === undefined) return around;
      const label = names.findIndex((name, node) => name === 'LABEL' && attribute(node, 'for') === id);
      return label < 0 ? undefined : label;
    },
    openingTag(node) {
      const written = attributePairs(node).map(([name, value]) => ` ${name}="${value}"`);
      return `<${(names[node] ?? '').toLowerCase()}${written.join('')}>`.slice(0, LONGEST_TAG);
    },
  };
}
