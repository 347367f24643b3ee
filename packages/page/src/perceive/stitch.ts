import type { SemanticNode, SemanticPage } from '@drawbridge/protocol/semantic';

/** A frame's page as the page code inside it reported it, and where the frame stands in the main page. */
export interface FramePage {
  readonly f: number;
  readonly page: SemanticPage;
  /** Where the frame's document begins in the main page's viewport, and how much of it is shown there. */
  readonly box: readonly [number, number, number, number];
  /** The frame's own element is covered. */
  readonly occ?: boolean;
}

/**
 * One page out of the main frame's and those of frames nobody in the page can look into. Their ids
 * must already carry the frame's prefix; their places are moved, and what the frame does not show is
 * left out.
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
