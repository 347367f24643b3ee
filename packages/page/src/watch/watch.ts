import { fullNameOf } from '../perceive/accessible-name.ts';
import { openShadowRoot, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isElement } from '../perceive/text.ts';
import { isSecretField } from '../secrets/secret-field.ts';
import { type Clock, pageClock } from './clock.ts';
import { createEventBuffer, type RecentEvents } from './event-buffer.ts';
import { noticesIn } from './mutation-batch.ts';
import { type NavigationLog, watchNavigation } from './navigation-log.ts';
import { type NetworkActivity, watchNetwork } from './network-activity.ts';
import { createNoticeQueue } from './notice-queue.ts';
import type { PageEvent } from './page-event.ts';
import { createSecretEcho, type SecretEcho } from './secret-echo.ts';
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
  readonly secrets: SecretEcho;
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
  attributeFilter: [
    ...[
      'class',
      'style',
      'hidden',
      'open',
      'disabled',
      'src',
      'href',
      'value',
      'aria-hidden',
      'aria-invalid',
    ],
    ...[
      'aria-expanded',
      'aria-selected',
      'aria-checked',
      'aria-pressed',
      'aria-busy',
      'aria-disabled',
      'aria-label',
    ],
  ],
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
  const secrets = createSecretEcho(() => [...roots].filter((root) => 'defaultView' in root));
  const queue = createNoticeQueue(buffer, clock, secrets.clean);
  let mutations = 0;
  let lastMutationAt = clock.now();

  const tell = () => {
    for (const listener of listeners) listener();
  };
  const network = watchNetwork(clock, tell);
  const navigation = watchNavigation(document, tell);

  const onMutations = (records: MutationRecord[]) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) if (isElement(node)) follow(node);
    }
    if (records.some(counts)) {
      mutations += records.length;
      lastMutationAt = clock.now();
    }
    touched.note(records);
    queue.add(noticesIn(records));
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
    const field = event.composedPath()[0];
    if (!isElementLike(field) || !('validationMessage' in field)) return;
    const message = isSecretField(field) ? 'is not valid' : String(field.validationMessage);
    queue.add([
      { element: field, kind: 'error', text: `${fullNameOf(field)}: ${message}`, loudness: 'alert' },
    ]);
    tell();
  };
  const onInput = (event: Event) => {
    const field = event.composedPath()[0];
    if (isElementLike(field)) secrets.learn(field);
    tell();
  };

  function follow(node: Element | Document): void {
    for (const root of hiddenRootsIn(node, shadowRootOf)) observe(root);
  }

  function observe(root: Document | ShadowRoot): void {
    if (roots.has(root)) return;
    roots.add(root);
    observer.observe(root, OBSERVED);
    root.addEventListener('invalid', onInvalid, true);
    root.addEventListener('input', onInput, true);
    root.addEventListener('change', onInput, true);
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
      return buffer.report(clock.now());
    },
    mark: () => {
      catchUp();
      return buffer.mark();
    },
    since: (mark) => {
      catchUp();
      return buffer.since(mark);
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
    secrets,
    onActivity(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      observer.disconnect();
      queue.close();
      network.close();
      navigation.close();
      for (const root of roots) {
        root.removeEventListener('invalid', onInvalid, true);
        root.removeEventListener('input', onInput, true);
        root.removeEventListener('change', onInput, true);
      }
      roots.clear();
      listeners.clear();
    },
  };
}

// Told by shape, not by instanceof: what is in a frame belongs to another realm.
function isElementLike(target: EventTarget | undefined): target is Element {
  return target !== undefined && 'nodeType' in target && target.nodeType === 1;
}
