import { isElement } from '../perceive/text.ts';

/** When the page last laid hands on a node, or on something just inside it; counted in batches, not in time. */
export interface TouchedNodes {
  readonly note: (records: readonly MutationRecord[]) => void;
  readonly lastTouch: (node: Node) => number;
}

/** A label stands a few levels deep in its row. */
const LEVELS = 4;

/** One count for all the page code of a document, so that what is remembered can be set against what is watched. */
let batch = 0;

/** The batch of changes that the page has come to, as far as it has been watched. */
export function currentBatch(): number {
  return batch;
}

export function createTouchedNodes(): TouchedNodes {
  const touched = new WeakMap<Node, number>();
  return {
    note(records) {
      batch++;
      for (const { target } of records) {
        let node: Node | null = target;
        for (let level = 0; node !== null && level <= LEVELS && touched.get(node) !== batch; level++) {
          touched.set(node, batch);
          node = isElement(node) ? node.parentElement : node.parentNode;
        }
      }
    },
    lastTouch: (node) => touched.get(node) ?? 0,
  };
}
