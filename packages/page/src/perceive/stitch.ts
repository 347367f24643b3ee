import type { SemanticNode, SemanticPage } from '@drawbridge/protocol/semantic';

/** A frame's page, as reported by its page code, and its place in the main page. */
export interface FramePage {
  readonly f: number;
  readonly page: SemanticPage;
  /** Origin of the frame's document in the main page's viewport, and its visible size. */
  readonly box: readonly [number, number, number, number];
  readonly occ?: boolean;
}

/**
 * Joins the main frame's page with those of cross-origin frames. Their ids must already have the frame's
 * prefix; places are translated, and clipped content is left out.
 */
export function stitch(main: SemanticPage, frames: readonly FramePage[]): SemanticPage {
  const nodes = [...main.interactive_tree, ...frames.flatMap(moveNodes)];
  const ids = new Set(nodes.map((node) => node.i));
  if (ids.size < nodes.length) throw new Error('Two frames share an id: give each its own prefix.');
  const containers = [main, ...frames.map(({ page }) => page)].flatMap(
    (page) => page.scrollableContainers ?? [],
  );
  const shown = containers.filter(({ id }) => ids.has(id));
  return { ...main, interactive_tree: nodes, ...(shown.length > 0 && { scrollableContainers: shown }) };
}

function moveNodes({ f, page, box, occ }: FramePage): SemanticNode[] {
  const [left, top, width, height] = box;
  return page.interactive_tree.flatMap((node) => {
    const [x, y] = node.xy ?? [0, 0];
    if (x < 0 || y < 0 || x > width || y > height) return [];
    const moved: SemanticNode = { ...node, f };
    if (node.xy !== undefined) moved.xy = [x + left, y + top];
    if (node.box !== undefined) {
      const [boxLeft, boxTop, boxWidth, boxHeight] = node.box;
      moved.box = [boxLeft + left, boxTop + top, boxWidth, boxHeight];
    }
    if (occ === true) moved.occ = true;
    return moved;
  });
}
