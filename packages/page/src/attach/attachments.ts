import type { Attachment } from '@drawbridge/protocol/manifest';
import { locate } from '../locate/locate.ts';
import type { LocateContext } from '../locate/locator.ts';
import { PageError } from '../locate/page-error.ts';
import { pageClock } from '../watch/clock.ts';
import { createAffordanceNode, PRESSABLE_KINDS } from './affordance-node.ts';
import { type ChangeWatch, watchChanges } from './change-watch.ts';

/** Events for the map engine's attachment machine; its host adds the current states. */
export type AttachmentEvent =
  | {
      readonly type: 'observed';
      readonly id: string;
      readonly url: string;
      readonly anchors: readonly string[];
    }
  | {
      readonly type: 'installed' | 'install_failed' | 'removed' | 'detached';
      readonly id: string;
      readonly anchor: string;
    }
  | { readonly type: 'activated'; readonly id: string; readonly anchor: string; readonly trusted: boolean };

/** An order of the machine. */
export interface InstallOrder {
  readonly id: string;
  readonly anchor: string;
  readonly kind: string;
  readonly label: string;
  readonly placement: string;
}

export type Attachments = ReturnType<typeof createAttachments>;

export interface AttachmentOptions {
  readonly context: LocateContext;
  /** Maps elements to the host's names and back. */
  readonly anchorOf: (element: Element) => string;
  readonly elementOf: (anchor: string) => Element | undefined;
  readonly send: (event: AttachmentEvent) => void;
  /** Schedules the next look: once per burst of changes. */
  readonly soon?: (work: () => void) => void;
}

interface Instance {
  readonly id: string;
  readonly anchor: string;
  readonly host: HTMLElement;
  readonly parent: ParentNode | null;
}

/** Puts affordances of a map onto the page and reports their fate. Makes no decisions. */
export function createAttachments(options: AttachmentOptions) {
  const { context, anchorOf, elementOf, send, soon = later } = options;
  const { document } = context;
  const instances: Instance[] = [];
  const lastTold = new Map<string, string>();
  let observed: readonly Attachment[] = [];
  let changes: ChangeWatch | undefined;

  function look(): void {
    noticeLosses();
    const url = context.clean(document.URL);
    for (const { id, target } of observed) {
      const anchors = anchorsOf(target);
      const told = JSON.stringify([url, anchors]);
      if (lastTold.get(id) === told) continue;
      lastTold.set(id, told);
      send({ type: 'observed', id, url, anchors });
    }
  }

  /** One attachment's invalid selector must not block the others. */
  function anchorsOf(target: Attachment['target']): string[] {
    try {
      return locate(target, context).elements.map(anchorOf);
    } catch (error) {
      if (error instanceof PageError) return [];
      throw error;
    }
  }

  /** The page removed or moved our node: its rest is removed, and the machine decides again. */
  function noticeLosses(): void {
    for (const instance of [...instances]) {
      if (instance.host.isConnected && instance.host.parentNode === instance.parent) continue;
      forget(instance);
      lastTold.delete(instance.id);
      send({ type: 'detached', id: instance.id, anchor: instance.anchor });
    }
  }

  function forget(instance: Instance): void {
    instance.host.remove();
    instances.splice(instances.indexOf(instance), 1);
  }

  function place({ id, anchor, kind, label, placement }: InstallOrder): boolean {
    const attachment = observed.find((one) => one.id === id);
    const most = attachment?.affordance?.max_instances ?? 1;
    const element = elementOf(anchor);
    const own = instances.filter((one) => one.id === id);
    if (own.length >= most || own.some((one) => one.anchor === anchor)) return false;
    if (element?.isConnected !== true || !isPlacement(placement)) return false;
    const pressable = PRESSABLE_KINDS.has(kind) || attachment?.affordance?.opens !== undefined;
    const { host, onPress } = createAffordanceNode(element.ownerDocument, { id, kind, label, pressable });
    // An anchor without a parent, or that takes no children, gets nothing.
    if (element.insertAdjacentElement(placement, host) === null) return false;
    onPress(({ isTrusted }) => send({ type: 'activated', id, anchor, trusted: isTrusted }));
    instances.push({ id, anchor, host, parent: host.parentNode });
    return true;
  }

  return {
    /** Looks for the targets now and after every change of the page or its url, and reports changes. */
    observe(attachments: readonly Attachment[]): void {
      observed = attachments;
      lastTold.clear();
      changes ??= watchChanges(document, context.shadowRootOf, look, soon);
      look();
    },
    install(order: InstallOrder): void {
      const { id, anchor } = order;
      send({ type: place(order) ? 'installed' : 'install_failed', id, anchor });
      changes?.drain();
    },
    remove({ id, anchor }: Pick<InstallOrder, 'id' | 'anchor'>): void {
      const instance = instances.find((one) => one.id === id && one.anchor === anchor);
      if (instance !== undefined) forget(instance);
      changes?.drain();
      send({ type: 'removed', id, anchor });
    },
    close(): void {
      changes?.close();
      changes = undefined;
      observed = [];
      for (const instance of [...instances]) forget(instance);
    },
  };
}

/** Limits the looks at a page that changes all the time. */
const LOOK_AFTER_MS = 100;

const later = (work: () => void): void => void pageClock.setTimeout(work, LOOK_AFTER_MS);

const isPlacement = (text: string): text is InsertPosition => /^(?:before|after)(?:begin|end)$/.test(text);
