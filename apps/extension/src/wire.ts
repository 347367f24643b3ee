import type { Plan, TaskEvent, TaskState } from '@drawbridge/protocol';
import type { Grant } from '@drawbridge/runtime';
import type { StepDetails, TaskQuestion } from '@drawbridge/runtime/task';

/**
 * What the extension's own pages (side panel, options, welcome) and its service worker say to each other, over
 * `chrome.runtime.connect({ name: PANEL_PORT })`. The worker may be stopped at any moment: a page connects again and
 * gets the whole state first. Nobody else is listened to: not a web page, not a content script, not another extension.
 */
export const PANEL_PORT = 'drawbridge-panel';

/** Worker → page: all of it at first and after each change. */
export interface WorkerState {
  readonly relay: RelayState;
  /** Every lent tab. */
  readonly tabs: readonly LentTab[];
  /** The tab in front in each window, by window. */
  readonly front: Readonly<Record<number, FrontTab>>;
  /** The last task of each tab, by tab. */
  readonly tasks: Readonly<Record<number, TabTask>>;
  /** What a tab's session is (INT-151), by tab. */
  readonly sessions: Readonly<Record<number, string>>;
  readonly taskServer: TaskServerState;
  readonly grants: readonly Grant[];
  readonly settings: Settings;
}

export type RelayState =
  | { readonly kind: 'unpaired' }
  | { readonly kind: 'connecting' | 'online'; readonly url: string; readonly device: string }
  | { readonly kind: 'offline'; readonly url: string; readonly device: string; readonly why: string }
  /** The relay does not know this device any more: pair again. */
  | { readonly kind: 'refused'; readonly url: string; readonly why: string };

export interface LentTab {
  readonly tabId: number;
  readonly windowId: number;
  readonly runtimeKey: string;
  readonly title: string;
  readonly url: string;
  readonly lentAt: number;
  /** What runs in it now, in words; undefined when nothing does. */
  readonly doing?: string;
  /** Trusted input through the debugger, which the person allowed for this tab. */
  readonly trusted: boolean;
  /** Present when the page cannot be reached: the person has to allow the site again. */
  readonly trouble?: string;
}

export interface FrontTab {
  readonly tabId: number;
  readonly title: string;
  readonly url: string;
  readonly icon?: string;
  /** Undefined when it can be lent; else why not (`chrome://` pages, the web store). */
  readonly cannotLend?: string;
}

/** A task that this extension runs itself, in a tab: started in its panel or by a task server. */
export interface TabTask {
  readonly taskId: string;
  readonly tabId: number;
  readonly query: string;
  readonly from: 'panel' | 'server';
  readonly state: TaskState;
  /** A person works in the page; `hand_back` goes on. */
  readonly takenOver: boolean;
  readonly plan?: Plan;
  readonly question?: TaskQuestion;
  /** The last 200, oldest first. */
  readonly events: readonly TabTaskEvent[];
  /** What it came to, once it is over. */
  readonly message?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
}

export interface TabTaskEvent {
  readonly event: TaskEvent;
  readonly step?: StepDetails;
  readonly thought?: string;
}

export type TaskServerState =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' | 'online'; readonly url: string }
  | { readonly kind: 'waiting'; readonly url: string; readonly why: string; readonly nextTryAt: number };

export interface Settings {
  /** Of a task server (TSK-22, TSK-23); off unless a person switches it on. */
  readonly taskServer: { readonly on: boolean; readonly url: string; readonly connectSeconds: number };
  /** Sends the semantic tree; without it, skeleton or hybrid (INT-109). */
  readonly semantic: boolean;
  readonly language: 'auto' | 'en' | 'de';
  readonly theme: 'system' | 'light' | 'dark';
  readonly sites: readonly SiteRule[];
}

/** `never` wins over everything; `ask` asks before each act, reading stays free while the tab is lent. */
export interface SiteRule {
  readonly origin: string;
  readonly rule: 'never' | 'ask';
}

/** Page → worker. Each is answered once, by its `id`. */
export interface PanelRequest {
  readonly id: string;
  readonly command: PanelCommand;
}

export type PanelCommand =
  /** `pair_url` as the relay, its QR code or the web app gives it. */
  | { readonly do: 'pair'; readonly link: string; readonly name?: string }
  | { readonly do: 'unpair' }
  /** The page asks Chrome for the site itself, in the person's gesture; the worker claims. */
  | { readonly do: 'lend'; readonly tabId: number; readonly trusted?: boolean }
  | { readonly do: 'release'; readonly tabId: number }
  /** Highlights an element for two seconds, for a person who asks "which one?". */
  | { readonly do: 'show'; readonly tabId: number; readonly elementId: string }
  | { readonly do: 'start_task'; readonly tabId: number; readonly query: string }
  /** An answer to a question, or a word of steering. */
  | { readonly do: 'say'; readonly tabId: number; readonly text: string }
  | {
      readonly do: 'stop' | 'pause' | 'resume' | 'take_over' | 'hand_back';
      readonly tabId: number;
    }
  /** A session to go on with in a tab, from the list of its domain. Null: a new one at the next task. */
  | { readonly do: 'use_session'; readonly tabId: number; readonly sessionId: string | null }
  | { readonly do: 'revoke_grant'; readonly grantId: string }
  | { readonly do: 'set'; readonly settings: Settings };

/** Worker → page. */
export type PanelMessage =
  | { readonly kind: 'state'; readonly state: WorkerState }
  | { readonly kind: 'answer'; readonly id: string; readonly ok: true }
  | { readonly kind: 'answer'; readonly id: string; readonly ok: false; readonly message: string };

/**
 * Where the worker keeps what must outlive it, in `chrome.storage.local`. The pages read `pairing` too: the panel
 * speaks to the relay itself (chat, sessions, push), with the same token.
 */
export const STORED = {
  pairing: 'pairing',
  settings: 'settings',
  grants: 'grants',
  relayHosts: 'relay_hosts',
} as const;

export interface Pairing {
  /** `http://127.0.0.1:7717`, no slash at the end. */
  readonly url: string;
  readonly token: string;
  readonly deviceId: string;
  readonly name: string;
}
