import { isElement } from '../perceive/text.ts';

/** A label is a few levels deep in its row. */
const LEVELS = 4;

/** One counter for all page code of a document, so that fingerprints can be compared with the watch. */
let batch = 0;

/** The current batch of page changes. */
export function currentBatch(): number {
  return batch;
}

/** When the page last changed a node, or something just inside it; counted in batches. */
export function createTouchedNodes() {
  const touched = new WeakMap<Node, number>();
  return {
    add(records: readonly MutationRecord[]): void {
      batch++;
      for (const { target } of records) {
        let node: Node | null = target;
        for (let level = 0; node !== null && level <= LEVELS && touched.get(node) !== batch; level++) {
          touched.set(node, batch);
          node = isElement(node) ? node.parentElement : node.parentNode;
        }
      }
    },
    lastTouch: (node: Node): number => touched.get(node) ?? 0,
  };
}
