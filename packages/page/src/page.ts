import type { Attachment, ExtractEntry, Signal } from '@drawbridge/protocol/manifest';
import type { Host } from './act/action-context.ts';
import { createPageActions, type PageActions } from './act/page-actions.ts';
import { type AttachmentEvent, createAttachments, type InstallOrder } from './attach/attachments.ts';
import { extract } from './extract/extraction.ts';
import type { RawExtraction } from './extract/extraction-result.ts';
import {
  createElementRegistry,
  type ElementRegistry,
  liveElement,
  STAMP,
} from './identity/element-registry.ts';
import { createTagger } from './identity/tagger.ts';
import { queryDeep } from './locate/deep-query.ts';
import {
  type ElementInfo,
  elementInfo,
  type Found,
  findTarget,
  type InfoOptions,
} from './locate/element-info.ts';
import type { LocateContext, LocateOptions, Locator } from './locate/locator.ts';
import { PageError } from './locate/page-error.ts';
import { selectorPath } from './locate/selector-path.ts';
import { fitsPattern } from './locate/url-pattern.ts';
import { openShadowRoot } from './perceive/composed-tree.ts';
import { createPerception, type Perception, type PerceptionHooks } from './perceive/perception.ts';
import type { Snapshot } from './perceive/snapshot.ts';
import { createPictureCover, type PictureCover } from './screenshot/picture-cover.ts';
import { createSignalListener, type SignalEvent, type UnreadableSignal } from './signal/signal-listener.ts';
import { type PageClock, pageClock } from './watch/clock.ts';
import type { RecentEvents } from './watch/event-buffer.ts';
import { type Stability, type StabilityOptions, waitForStability } from './watch/stability.ts';
import { createWatch, type Watch } from './watch/watch.ts';

export interface PageHooks extends PerceptionHooks {
  readonly host?: Host;
  readonly clock?: PageClock;
  /** Receives the page's notices. Without it, `takeNotices` returns those since the last call. */
  readonly send?: (notice: PageNotice) => void;
  readonly matchesPattern?: LocateContext['matchesPattern'];
  /** Called after an idle look, when nothing waits for the result. */
  readonly onLook?: () => void;
}

export type PageNotice = AttachmentEvent | SignalEvent | UnreadableSignal;

/** One page for a host: takes ids and data, and returns data. */
export interface Page
  extends Omit<Perception, 'close'>,
    Omit<PageActions, 'close'>,
    Omit<PictureCover, 'close'> {
  /** Events that the next snapshot would report; each is returned once. */
  readonly recentEvents: () => RecentEvents;
  readonly untilStable: (
    options?: Pick<StabilityOptions, 'quietMs' | 'timeoutMs' | 'fromNow'>,
  ) => Promise<Stability>;
  readonly find: (target: Locator, options?: LocateOptions) => Found;
  readonly elementInfo: (locator: Locator, options?: InfoOptions) => ElementInfo;
  readonly selectorPath: (id: string) => string;
  readonly extract: (entries: readonly ExtractEntry[]) => RawExtraction;
  readonly observeAttachments: (attachments: readonly Attachment[]) => void;
  readonly installAttachment: (order: InstallOrder) => void;
  readonly removeAttachment: (order: Pick<InstallOrder, 'id' | 'anchor'>) => void;
  readonly listenForSignals: (signals: readonly Signal[]) => void;
  readonly takeNotices: () => PageNotice[];
  /** Removes everything of ours from the page. */
  readonly close: () => void;
}

export interface PageOptions {
  readonly window: Window;
  readonly hooks?: PageHooks;
  /** Distinguishes the ids of a frame with its own page code: `f2_`. */
  readonly prefix?: string;
  /** For code in the same world that maps ids to elements; no method of a page returns one. */
  readonly registry?: ElementRegistry;
  /** For code in the same world that needs to know about changes. */
  readonly watch?: Watch;
}

/** Limits memory on a page that floods us. */
const MAX_NOTICES = 200;

export function createPage(options: PageOptions): Page {
  const { window, hooks = {}, prefix = '' } = options;
  const { document } = window;
  const { shadowRootOf = openShadowRoot, clock = pageClock, host = {}, matchesPattern = fitsPattern } = hooks;
  const { registry = createElementRegistry(prefix, document) } = options;
  const shared = { document, registry, shadowRootOf, clock };
  const { watch = createWatch(shared) } = options;
  const tagger = createTagger({ ...shared, watch });
  const perception = createPerception({ document, registry, hooks });
  const actions = createPageActions({
    ...shared,
    watch,
    host,
    listenerHint: hooks.listenerHint,
    listenerKinds: hooks.listenerKinds,
    onLook: hooks.onLook,
  });
  const { clean, cleaner } = watch.secrets;
  const context = { ...shared, clean, cleaner, matchesPattern };
  const cover = createPictureCover(context);
  const { tell: send, takeNotices } = noticeBox(hooks.send);
  const attachments = createAttachments({
    context,
    anchorOf: registry.idOf,
    elementOf: registry.elementOf,
    send,
  });
  const signals = createSignalListener({ context, send });
  const closables = [signals, attachments, cover, actions, perception, tagger, watch];

  return {
    ...perception,
    ...actions,
    ...cover,
    snapshot(options) {
      const late = actions.lateEffect();
      const snapshot = withEvents(perception.snapshot(options), watch.report());
      return late === undefined ? snapshot : { ...snapshot, late };
    },
    recentEvents: watch.report,
    untilStable: (options) => waitForStability({ ...options, ...shared, watch, inFlight: host.inFlight }),
    find: (target, options) => findTarget(target, context, options),
    elementInfo: (locator, options) => elementInfo(locator, context, options),
    selectorPath: (id) => pathOf(id, context),
    extract: (entries) => extract(entries, context),
    observeAttachments: attachments.observe,
    installAttachment: attachments.install,
    removeAttachment: attachments.remove,
    listenForSignals: signals.listen,
    takeNotices,
    close() {
      for (const part of closables) part.close();
      sweepCopies(context);
      registry.close();
    },
  };
}

/** Adds events since the last snapshot to this one. */
function withEvents(snapshot: Snapshot, events: RecentEvents): Snapshot {
  if (events.recentEvents.length === 0) return snapshot;
  const told = { ...events, recentEvents: [...events.recentEvents] };
  return { ...snapshot, page: { ...snapshot.page, ...told } };
}

function pathOf(id: string, context: LocateContext & { readonly registry: ElementRegistry }): string {
  const path = selectorPath(liveElement(context.registry, id), context);
  if (path !== undefined) return path;
  throw new PageError('target_not_found', 'Nothing tells this element from others for good.', { id });
}

function noticeBox(told: PageHooks['send']) {
  const kept: PageNotice[] = [];
  return {
    tell: (notice: PageNotice): void => {
      if (told === undefined) kept.push(notice);
      else told(notice);
      if (kept.length > MAX_NOTICES) kept.shift();
    },
    takeNotices: () => kept.splice(0),
  };
}

/** A page that copies an element copies our stamp with it. */
function sweepCopies({
  document,
  registry,
  shadowRootOf,
}: LocateContext & { readonly registry: ElementRegistry }): void {
  for (const copy of queryDeep(document, `[${STAMP}]`, { shadowRootOf })) {
    if (registry.elementOf(copy.getAttribute(STAMP) ?? '') !== undefined) copy.removeAttribute(STAMP);
  }
}
