import { STAMP } from '../identity/element-registry.ts';
import { fullNameOf } from '../perceive/accessible-name.ts';
import { openShadowRoot, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isElement } from '../perceive/text.ts';
import { followTyping, learn, learnIn, learnMet, learnWithin, originOf, recall } from '../secrets/scrub.ts';
import { isSecretField } from '../secrets/secret-field.ts';
import { type Background, createBackground, isInBackground } from './background.ts';
import { type PageClock, pageClock } from './clock.ts';
import { createEventBuffer, type RecentEvents } from './event-buffer.ts';
import { type Notice, noticesIn, standingAlerts } from './mutation-batch.ts';
import { type NavigationLog, watchNavigation } from './navigation-log.ts';
import { type NetworkActivity, watchNetwork } from './network-activity.ts';
import { createNoticeQueue } from './notice-queue.ts';
import type { PageEvent } from './page-event.ts';
import { hiddenRootsIn } from './shadow-roots.ts';
import { createTouchedNodes } from './touched-nodes.ts';

/** Watches one document and its content while page code lives. */
export interface Watch {
  /** `recentEvents`, `hasErrors` and `hasSuccess` of a snapshot; each event is reported once. */
  readonly report: () => RecentEvents;
  readonly mark: () => number;
  readonly since: (mark: number) => readonly PageEvent[];
  /** Changes with every observed change of the page. */
  readonly moment: () => number;
  /** The last batch of changes that touched a node; 0 for none. */
  readonly lastTouch: (node: Node) => number;
  readonly lastMutationAt: () => number;
  /** Changes that the page makes by itself, and those since an act began. */
  readonly background: Background;
  readonly network: NetworkActivity;
  readonly navigation: NavigationLog;
  readonly secrets: {
    /** Masks secrets in text that leaves the page. */
    readonly clean: (text: string) => string;
    /** The same for many texts: reads the fields once. */
    readonly cleaner: () => (text: string) => string;
    /** Learns a field's value, which may outlive the field. */
    readonly learn: (field: Element) => void;
  };
  /** Calls back with every tree in every root, current and future. */
  readonly eachTree: (receive: (tree: Element) => void) => void;
  /** Adds a root that no change has reported. */
  readonly include: (root: Document | ShadowRoot) => void;
  /** Called after every observed change; returns an unsubscribe function. */
  readonly onActivity: (listener: () => void) => () => void;
  readonly close: () => void;
}

export interface WatchOptions {
  readonly document: Document;
  readonly clock?: PageClock;
  readonly shadowRootOf?: ShadowRootOf;
}

const OBSERVED: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  characterDataOldValue: true,
  attributes: true,
  attributeOldValue: true,
};

/** Other attributes may change what the page shows, but not what an element is. */
const TELLING = new Set(
  `class style hidden open disabled src href value aria-hidden aria-invalid aria-expanded aria-selected
  aria-checked aria-pressed aria-busy aria-disabled aria-label aria-labelledby role type title alt placeholder
  name autocomplete contenteditable`.split(/\s+/),
);

/** Events that show or move something without a DOM change. */
const LISTENED_EVENTS = 'input change toggle transitionend animationend'.split(' ');

/** A script that moves an element writes its style many times. */
const RESTLESS_STYLE = 12;

/** With fewer roots, removed ones are looked for only when a frame loads. */
const FEWEST_ROOTS = 32;

const isThere = (root: Document | ShadowRoot): boolean =>
  'defaultView' in root ? root.defaultView !== null : root.isConnected;

export function createWatch(options: WatchOptions): Watch {
  const { document, clock = pageClock, shadowRootOf = openShadowRoot } = options;
  const buffer = createEventBuffer();
  const touched = createTouchedNodes();
  const roots = new Set<Document | ShadowRoot>();
  const listeners = new Set<() => void>();
  const background = createBackground();
  const styleWrites = new WeakMap<Node, number>();
  const stop = new AbortController();
  const cleaner = () => {
    learnIn(roots);
    return recall;
  };
  const queue = createNoticeQueue(buffer, clock, recall);
  /** Initial content is no event, until a complete page was seen or an action happens. */
  let isArriving = document.readyState !== 'complete';
  let isParsing = document.readyState === 'loading';
  let receiveTree = (_: Element) => {};
  let mostRoots = FEWEST_ROOTS;
  let heard = 0;
  let lastMutationAt = clock.now();

  const tell = () => {
    heard++;
    for (const listener of listeners) listener();
  };
  const network = watchNetwork(clock, tell);
  const navigation = watchNavigation(document, tell);

  const onMutations = (all: MutationRecord[]) => {
    const noticed = all.filter(({ attributeName }) => attributeName !== STAMP);
    if (noticed.length === 0) return;
    background.add(noticed, clock.now());
    const records = noticed.filter(({ attributeName: name }) => name === null || TELLING.has(name));
    if (records.length > 0) receive(records);
    tell();
  };
  const receive = (records: readonly MutationRecord[]) => {
    for (const { addedNodes, removedNodes } of records) {
      for (const node of addedNodes) {
        if (!isElement(node)) continue;
        follow(node);
        learnWithin(node);
        receiveTree(node);
      }
      // A removed form takes its values with it, and the page may show them next.
      for (const node of removedNodes) if (isElement(node)) learnWithin(node);
    }
    learnMet();
    if (records.some(counts)) lastMutationAt = clock.now();
    touched.add(records);
    if (!isParsing) queue.add(noticesIn(records, queue.isFeed).filter(isNews));
  };
  const observer = new MutationObserver(onMutations);

  function counts({ type, attributeName, target }: MutationRecord): boolean {
    if (type !== 'attributes' || attributeName !== 'style') return true;
    const writes = (styleWrites.get(target) ?? 0) + 1;
    styleWrites.set(target, writes);
    return writes < RESTLESS_STYLE;
  }

  /** A script that renders the page is silent; announcements and dialogs are reported. */
  function isNews({ element, kind, loudness }: Notice): boolean {
    const isSilent = loudness === 'none' && (kind === 'added' || kind === 'changed');
    if (isSilent && background.isActing() && isInBackground(background, element)) return false;
    return !isArriving || loudness !== 'none' || kind === 'dialog';
  }

  /** The browser's validation bubble ("Please fill out this field") is in no document. */
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

  /** A frame has loaded another document. */
  const onLoad = (event: Event) => {
    const loaded = originOf(event);
    if (loaded !== undefined) follow(loaded);
    tell();
  };

  /** Roots of removed elements and left documents would keep them in memory. Doubling bounds the cost of looking. */
  function forgetLeft(): void {
    for (const old of roots) if (!isThere(old)) roots.delete(old);
    mostRoots = Math.max(FEWEST_ROOTS, 2 * roots.size);
  }

  function observe(root: Document | ShadowRoot): void {
    if (roots.has(root)) return;
    roots.add(root);
    if ('defaultView' in root || roots.size >= mostRoots) forgetLeft();
    for (const tree of root.children) receiveTree(tree);
    learnIn([root]);
    observer.observe(root, OBSERVED);
    followTyping(root, stop.signal);
    const early = { capture: true, signal: stop.signal };
    root.addEventListener('invalid', onInvalid, early);
    root.addEventListener('load', onLoad, early);
    for (const type of LISTENED_EVENTS) root.addEventListener(type, tell, early);
  }

  observe(document);
  follow(document);
  const onParsed = () => {
    drain();
    isParsing = false;
    queue.add(standingAlerts(document));
  };
  if (isParsing)
    document.addEventListener('DOMContentLoaded', onParsed, { capture: true, signal: stop.signal });

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
      if (document.readyState === 'complete') isArriving = false;
      return buffer.report(clock.now(), cleaner());
    },
    mark: () => {
      catchUp();
      isArriving = false;
      return buffer.mark();
    },
    since: (mark) => {
      catchUp();
      const clean = cleaner();
      return buffer.since(mark).map((event) => ({ ...event, text: clean(event.text) }));
    },
    moment: () => {
      drain();
      return heard;
    },
    lastTouch: (node) => {
      drain();
      return touched.lastTouch(node);
    },
    lastMutationAt: () => {
      drain();
      return lastMutationAt;
    },
    background: {
      ...background,
      begin(now) {
        drain();
        background.begin(now);
      },
      end(now) {
        drain();
        background.end(now);
      },
      count() {
        drain();
        return background.count();
      },
    },
    network,
    navigation,
    secrets: { cleaner, clean: (text) => cleaner()(text), learn: (field) => learn(field) },
    eachTree(receive) {
      receiveTree = receive;
      for (const root of roots) for (const tree of root.children) receive(tree);
    },
    include: observe,
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
