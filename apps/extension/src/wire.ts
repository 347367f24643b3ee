import type { Plan, TaskEvent, TaskState } from '@drawbridge/protocol';
import type { Grant } from '@drawbridge/runtime';
import type { StepDetails, TaskQuestion } from '@drawbridge/runtime/task';

/**
 * Messages between the extension's own pages (side panel, options, welcome) and its service worker, over
 * `chrome.runtime.connect({ name: PANEL_PORT })`. The worker may be stopped at any moment: a page reconnects
 * and gets the whole state first. Web pages, content scripts and other extensions are refused.
 */
export const PANEL_PORT = 'drawbridge-panel';

/** Worker → page: the whole state, at first and after each change. */
export interface WorkerState {
  readonly relay: RelayState;
  readonly tabs: readonly LentTab[];
  /** Active tab of each window, by window. */
  readonly front: Readonly<Record<number, FrontTab>>;
  /** Last task of each tab, by tab. */
  readonly tasks: Readonly<Record<number, TabTask>>;
  /** Session of each tab (INT-151), by tab. */
  readonly sessions: Readonly<Record<number, string>>;
  readonly taskServer: TaskServerState;
  readonly grants: readonly Grant[];
  readonly settings: Settings;
}

export type RelayState =
  | { readonly kind: 'unpaired' }
  | { readonly kind: 'connecting' | 'online'; readonly url: string; readonly device: string }
  | { readonly kind: 'offline'; readonly url: string; readonly device: string; readonly why: string }
  /** The device is unknown to the relay: pair again. */
  | { readonly kind: 'refused'; readonly url: string; readonly why: string };

export interface LentTab {
  readonly tabId: number;
  readonly windowId: number;
  readonly runtimeKey: string;
  readonly title: string;
  readonly url: string;
  readonly lentAt: number;
  /** Name of the running call, if any. */
  readonly doing?: string;
  /** Trusted input through the debugger, allowed by the person for this tab. */
  readonly trusted: boolean;
  /** Ids of its questions that wait for a person. */
  readonly questions: readonly string[];
  /** Set when the page cannot be reached: the person must allow the site again. */
  readonly problem?: string;
}

export interface FrontTab {
  readonly tabId: number;
  readonly title: string;
  readonly url: string;
  readonly icon?: string;
  /** Reason why it cannot be lent (`chrome://` pages, the web store); undefined if it can. */
  readonly cannotLend?: string;
}

/** A task run by this extension in a tab, started in its panel or by a task server. */
export interface TabTask {
  readonly taskId: string;
  readonly tabId: number;
  readonly query: string;
  readonly from: 'panel' | 'server';
  readonly state: TaskState;
  /** A person works in the page until `hand_back`. */
  readonly takenOver: boolean;
  readonly plan?: Plan;
  readonly question?: TaskQuestion;
  /** The last 200, oldest first. */
  readonly events: readonly TabTaskEvent[];
  /** Final message. */
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
  /** Task server (TSK-22, TSK-23); off by default. */
  readonly taskServer: { readonly on: boolean; readonly url: string; readonly connectSeconds: number };
  /** Sends the semantic tree; otherwise skeleton or hybrid (INT-109). */
  readonly semantic: boolean;
  readonly language: 'auto' | 'en' | 'de';
  readonly theme: 'system' | 'light' | 'dark';
  readonly sites: readonly SiteRule[];
}

/** `never` overrides everything; `ask` asks before each act, while reading stays free in a lent tab. */
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
  /** `pair_url` from the relay, its QR code or the web app. */
  | { readonly do: 'pair'; readonly link: string; readonly name?: string }
  | { readonly do: 'unpair' }
  /** The page itself asks Chrome for the site, within the person's click; the worker claims. */
  | { readonly do: 'lend'; readonly tabId: number; readonly trusted?: boolean }
  | { readonly do: 'release'; readonly tabId: number }
  /** Highlights an element for two seconds. */
  | { readonly do: 'show'; readonly tabId: number; readonly elementId: string }
  | { readonly do: 'start_task'; readonly tabId: number; readonly query: string }
  /** An answer or a steering message. */
  | { readonly do: 'say'; readonly tabId: number; readonly text: string }
  | {
      readonly do: 'stop' | 'pause' | 'resume' | 'take_over' | 'hand_back';
      readonly tabId: number;
    }
  /** Session to continue in a tab. Null: a new one with the next task. */
  | { readonly do: 'use_session'; readonly tabId: number; readonly sessionId: string | null }
  | { readonly do: 'revoke_grant'; readonly grantId: string }
  | { readonly do: 'set'; readonly settings: Settings };

/** Worker → page. */
export type PanelMessage =
  | { readonly kind: 'state'; readonly state: WorkerState }
  | { readonly kind: 'answer'; readonly id: string; readonly ok: true }
  | { readonly kind: 'answer'; readonly id: string; readonly ok: false; readonly message: string };

/**
 * Keys of durable values in `chrome.storage.local`. Pages read `pairing` too: the panel connects to the relay
 * itself (chat, sessions, push) with the same token.
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
