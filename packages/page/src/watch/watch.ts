import { fullNameOf } from '../perceive/accessible-name.ts';
import { openShadowRoot, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isElement } from '../perceive/text.ts';
import {
  cleanSaid,
  followTyping,
  learn,
  learnIn,
  learnMet,
  learnWithin,
  originOf,
} from '../secrets/scrub.ts';
import { isSecretField } from '../secrets/secret-field.ts';
import { type Clock, pageClock } from './clock.ts';
import { createEventBuffer, type RecentEvents } from './event-buffer.ts';
import { noticesIn } from './mutation-batch.ts';
import { type NavigationLog, watchNavigation } from './navigation-log.ts';
import { type NetworkActivity, watchNetwork } from './network-activity.ts';
import { createNoticeQueue } from './notice-queue.ts';
import type { PageEvent } from './page-event.ts';
import { hiddenRootsIn } from './shadow-roots.ts';
import { createTouchedNodes } from './touched-nodes.ts';

/** Watches one document, and what is in it, for as long as the page code lives. */
export interface Watch {
  /** `recentEvents`, `hasErrors` and `hasSuccess` of a snapshot; what is told once is told. */
  readonly report: () => RecentEvents;
  readonly mark: () => number;
  readonly since: (mark: number) => readonly PageEvent[];
  readonly mutations: () => number;
  /** The last batch of changes that touched a node; 0 for none. */
  readonly lastTouch: (node: Node) => number;
  readonly lastMutationAt: () => number;
  readonly network: NetworkActivity;
  readonly navigation: NavigationLog;
  readonly secrets: {
    /** Takes secrets out of text that is about to leave the page. */
    readonly clean: (text: string) => string;
    /** The same for many texts: the fields are read once. */
    readonly cleaner: () => (text: string) => string;
    /** A value that was put into a field and may outlive it. */
    readonly learn: (field: Element) => void;
  };
  /** Called after every change that is seen, however small; returns how to stop. */
  readonly onActivity: (listener: () => void) => () => void;
  readonly close: () => void;
}

export interface WatchOptions {
  readonly document: Document;
  readonly clock?: Clock;
  readonly shadowRootOf?: ShadowRootOf;
}

const OBSERVED: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  characterDataOldValue: true,
  attributes: true,
  attributeOldValue: true,
  attributeFilter:
    `class style hidden open disabled src href value aria-hidden aria-invalid aria-expanded aria-selected
    aria-checked aria-pressed aria-busy aria-disabled aria-label`.split(/\s+/),
};

/** A script that moves something about writes its style many times over. */
const RESTLESS_STYLE = 12;

export function createWatch(options: WatchOptions): Watch {
  const { document, clock = pageClock, shadowRootOf = openShadowRoot } = options;
  const buffer = createEventBuffer();
  const touched = createTouchedNodes();
  const roots = new Set<Document | ShadowRoot>();
  const listeners = new Set<() => void>();
  const styleWrites = new WeakMap<Node, number>();
  const stop = new AbortController();
  const cleaner = () => {
    learnIn(roots);
    return cleanSaid;
  };
  const queue = createNoticeQueue(buffer, clock, cleanSaid);
  let mutations = 0;
  let lastMutationAt = clock.now();

  const tell = () => {
    for (const listener of listeners) listener();
  };
  const network = watchNetwork(clock, tell);
  const navigation = watchNavigation(document, tell);

  const onMutations = (records: MutationRecord[]) => {
    for (const { addedNodes, removedNodes } of records) {
      for (const node of addedNodes) {
        if (!isElement(node)) continue;
        follow(node);
        learnWithin(node);
      }
      // A form takes what it holds with it, and what it held may be said next.
      for (const node of removedNodes) if (isElement(node)) learnWithin(node);
    }
    learnMet();
    if (records.some(counts)) {
      mutations += records.length;
      lastMutationAt = clock.now();
    }
    touched.note(records);
    queue.add(noticesIn(records, queue.isFeed));
    tell();
  };
  const observer = new MutationObserver(onMutations);

  function counts({ type, attributeName, target }: MutationRecord): boolean {
    if (type !== 'attributes' || attributeName !== 'style') return true;
    const writes = (styleWrites.get(target) ?? 0) + 1;
    styleWrites.set(target, writes);
    return writes < RESTLESS_STYLE;
  }

  /** The browser's own bubble ("Please fill out this field") is in no document. */
  const onInvalid = (event: Event) => {
    const field = originOf(event);
    if (field === undefined || !('validationMessage' in field)) return;
    const message = isSecretField(field) ? 'is not valid' : String(field.validationMessage);
    queue.add([
      { element: field, kind: 'error', text: `${fullNameOf(field)}: ${message}`, loudness: 'alert' },
    ]);
    tell();
  };
  function follow(node: Element | Document): void {
    for (const root of hiddenRootsIn(node, shadowRootOf)) observe(root);
  }

  function observe(root: Document | ShadowRoot): void {
    if (roots.has(root)) return;
    roots.add(root);
    learnIn([root]);
    observer.observe(root, OBSERVED);
    followTyping(root, stop.signal);
    const heard = { capture: true, signal: stop.signal };
    root.addEventListener('invalid', onInvalid, heard);
    root.addEventListener('input', tell, heard);
    root.addEventListener('change', tell, heard);
  }

  observe(document);
  follow(document);

  const drain = () => {
    const records = observer.takeRecords();
    if (records.length > 0) onMutations(records);
  };
  const catchUp = () => {
    drain();
    queue.settle();
  };

  return {
    report() {
      catchUp();
      return buffer.report(clock.now(), cleaner());
    },
    mark: () => {
      catchUp();
      return buffer.mark();
    },
    since: (mark) => {
      catchUp();
      const clean = cleaner();
      return buffer.since(mark).map((event) => ({ ...event, text: clean(event.text) }));
    },
    mutations: () => {
      drain();
      return mutations;
    },
    lastTouch: (node) => {
      drain();
      return touched.lastTouch(node);
    },
    lastMutationAt: () => {
      drain();
      return lastMutationAt;
    },
    network,
    navigation,
    secrets: { cleaner, clean: (text) => cleaner()(text), learn: (field) => learn(field) },
    onActivity(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      observer.disconnect();
      queue.close();
      network.close();
      navigation.close();
      stop.abort();
      roots.clear();
      listeners.clear();
    },
  };
}
