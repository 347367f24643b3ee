import type { SemanticNode } from '@drawbridge/protocol/semantic';
import type { ElementRegistry } from '../identity/element-registry.ts';
import { originOf } from '../locate/frame-origin.ts';
import type { LocateContext } from '../locate/locator.ts';
import { createOverlay, type OverlayBox } from './overlay.ts';
import { type SecretBox, secretBoxes } from './secret-box.ts';

/** Overlays on the page while a host takes a screenshot. */
export type PictureCover = ReturnType<typeof createPictureCover>;

export interface CoverContext extends LocateContext {
  readonly registry: ElementRegistry;
}

const MASK_STYLE = 'background:#000';
/** Told apart by neighbours, legible on any ground. */
/** Neighbours differ, and white text is readable on each. */
const colourOf = (index: number): string => `hsl(${(index % 6) * 140} 90% 24%)`;
/** Larger than the field, so that no blurred edge of a letter shows. */
const MASK_MARGIN_PX = 1;

export function createPictureCover(context: CoverContext) {
  const masks = createOverlay(context.document, 'masks');
  const marks = createOverlay(context.document, 'marks');
  return {
    secretBoxes: (): SecretBox[] => secretBoxes(context),
    /** Covers every secret and these places; returns their number. */
    installMasks: (more: readonly SecretBox[] = []): number =>
      masks.show([...secretBoxes(context), ...more].map((box) => ({ ...widened(box), style: MASK_STYLE }))),
    removeMasks: masks.remove,
    /** Draws a frame with the id around each node; returns their number. */
    installMarks: (nodes: readonly Pick<SemanticNode, 'i' | 'box'>[]): number =>
      marks.show(
        nodes
          .flatMap((node) => markOf(node, context) ?? [])
          .map(({ id, box }, index) => ({
            ...box,
            ...markStyle(id, colourOf(index)),
          })),
      ),
    removeMarks: marks.remove,
    close(): void {
      masks.remove();
      marks.remove();
    },
  };
}

/** By the snapshot's box, which accounts for frames; else at the element's current place. */
function markOf({ i, box }: Pick<SemanticNode, 'i' | 'box'>, { document, registry }: CoverContext) {
  if (box !== undefined) {
    const [x, y, width, height] = box;
    return { id: i, box: { x, y, width, height } };
  }
  const element = registry.elementOf(i);
  if (element?.isConnected !== true) return undefined;
  const { x, y, width, height } = element.getBoundingClientRect();
  const { left, top } = originOf(element, document);
  return { id: i, box: { x: x + left, y: y + top, width, height } };
}

function markStyle(id: string, colour: string): Pick<OverlayBox, 'style' | 'label'> {
  const style = `position:absolute; left:0; top:0; padding:0 3px; background:${colour}; color:#fff; font:11px/14px monospace`;
  return { style: `border:2px solid ${colour}`, label: { text: id, style } };
}

function widened({ x, y, width, height }: SecretBox): SecretBox {
  const extra = 2 * MASK_MARGIN_PX;
  return { x: x - MASK_MARGIN_PX, y: y - MASK_MARGIN_PX, width: width + extra, height: height + extra };
}
