import { createScrubber } from '../secrets/scrub.ts';
import { isField, isInput, visibleValueOf } from '../secrets/secret-field.ts';
import { nameOf } from './accessible-name.ts';
import { frameDocument, isFrame, renderedChildNodes } from './composed-tree.ts';
import { isKept, type MarkupElement, skeletonOf } from './skeleton.ts';
import type { SnapshotScene } from './snapshot.ts';
import { isElement, isText } from './text.ts';
import { isRendered } from './visibility.ts';
import { styleOf, withWalkCache } from './walk-cache.ts';

/** The skeleton of the live page, its shadow roots and its frames of the same origin. */
export function skeletonDom(scene: SnapshotScene): string {
  return withWalkCache(() => {
    const documents = new Set([scene.document]);
    const skeleton = skeletonOf(markupOf(scene.document.documentElement, scene, documents));
    return createScrubber(documents).text(skeleton);
  });
}

function markupOf(element: Element, scene: SnapshotScene, documents: Set<Document>): MarkupElement {
  const attribute = (name: string) => element.getAttribute(name);
  const self: MarkupElement = {
    tag: element.localName,
    attribute,
    hidden: false,
    children: {
      [Symbol.iterator]: () => childrenOf(element, scene, documents),
    },
  };
  if (!isKept(self)) return { ...self, hidden: styleOf(element).display === 'none' };
  const value = isInput(element) || isField(element) ? visibleValueOf(element) : undefined;
  return {
    ...self,
    hidden: !isRendered(element),
    id: scene.registry.idOf(element),
    label: nameOf(element),
    ...(value !== undefined && { value }),
  };
}

function* childrenOf(
  element: Element,
  scene: SnapshotScene,
  documents: Set<Document>,
): Generator<MarkupElement | string> {
  if (styleOf(element).display === 'none') return;
  const inside = isFrame(element) ? frameDocument(element) : undefined;
  if (inside?.documentElement != null) {
    documents.add(inside);
    yield markupOf(inside.documentElement, scene, documents);
  }
  for (const child of renderedChildNodes(element, scene.shadowRootOf)) {
    if (isText(child)) yield child.data;
    else if (isElement(child)) yield markupOf(child, scene, documents);
  }
}
