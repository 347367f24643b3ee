import type { PageNotice, Press } from '@drawbridge/page';
import type { OfferedCallNotice, WebToolsNotice } from '@drawbridge/page/calls';
import type { BridgeError } from '@drawbridge/protocol';
import type { HostKind } from '@drawbridge/protocol/primitives';

/** Notices that page code sends unasked. */
export type SurfaceNotice = PageNotice | WebToolsNotice | OfferedCallNotice;

/** Gives a runtime access to one surface. Every failure is a BridgeError or a `DocumentLeft`. */
export interface SurfaceHost {
  readonly kind: HostKind;
  /** Unchanged when the tab navigates. */
  readonly runtimeKey: string;
  /** The page as it is now. */
  readonly surface: () => Surface;
  /**
   * Calls the page code of this surface: a method of `Page`, or the page side of a primitive by its name
   * (`dom.observe.visible`). A host with several frames joins them: ids of all frames work.
   */
  readonly callPage: (name: string, args: readonly unknown[], signal?: AbortSignal) => Promise<unknown>;
  /** Trusted input, which the page cannot tell from a person's. */
  readonly input?: TrustedInput;
  /** Requests of the page. A host without it cannot see them start. */
  readonly requests?: Requests;
  /** Finds listeners that page code cannot see, each time before it is asked for what is there. */
  readonly findsListeners?: true;
  /** A picture of a part of the viewport, compared with another one and then forgotten. */
  readonly drawn?: (part: ViewportPart) => Promise<string>;
  readonly picture?: (options: PictureOptions) => Promise<Picture>;
  readonly tabs?: Tabs;
  readonly dialogs?: Dialogs;
  /** Files outside the page. */
  readonly files?: HostFiles;
  readonly clipboard?: Clipboard;
  /** Developer tools. A host without a debugger has none. */
  readonly inspection?: Inspection;
  readonly onEvent: (listener: (event: HostEvent) => void) => () => void;
  readonly close: () => Promise<void>;
}

export interface Requests {
  /** A mark for requests that start from now on. */
  readonly mark: () => number;
  /** How many of them are pending. */
  readonly since: (mark: number) => number;
  /** Resolves when none of them is pending, or after the time. */
  readonly finished: (mark: number, maxMs: number) => Promise<void>;
}

export interface Surface {
  readonly url: string;
  readonly title: string;
  /** In front, as far as the host can know. */
  readonly active: boolean;
}

export type HostEvent =
  /** The document is gone or unloading; page code does not answer until `ready`. */
  | { readonly kind: 'left' }
  /** A document has page code: the first one, and each one after a navigation. */
  | ({ readonly kind: 'ready' } & Surface)
  /** The address or title changed within the same document. */
  | ({ readonly kind: 'moved' } & Surface)
  | { readonly kind: 'notice'; readonly notice: SurfaceNotice }
  | ({ readonly kind: 'dialog' } & Dialog)
  /** The page opens a tab or window, lent or not. */
  | { readonly kind: 'opening' }
  | {
      readonly kind: 'download';
      readonly url: string;
      readonly file?: string;
      readonly state: string;
      /** A completed file, as an attachment. */
      readonly saved?: SavedFile;
      /** Set when the download was stopped at the browser's quota. */
      readonly refusal?: { readonly limit: string; readonly retry_after: number; readonly message: string };
    }
  /** The tab or the browser is closed; each later call fails with `error`. The last event. */
  | { readonly kind: 'closed'; readonly reason: string; readonly error?: BridgeError };

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface TrustedInput {
  /** `held` runs while the button is down. */
  readonly press: (press: Press, held?: () => Promise<unknown>) => Promise<void>;
  readonly tap: (point: Point, count?: number, held?: () => Promise<unknown>) => Promise<void>;
  /** The same with one finger. */
  readonly swipe: (points: readonly Point[], steps: number) => Promise<void>;
  readonly move: (point: Point) => Promise<void>;
  /** Moves the mouse; undefined when it already rests there. */
  readonly aim: (point: Point) => Promise<void> | undefined;
  /** Along the points, with this many moves between two of them. */
  readonly drag: (points: readonly Point[], steps: number) => Promise<void>;
  readonly wheel: (at: Point, delta: Point) => Promise<void>;
  /** `Enter`, `Control+a`. A key that went `down` stays so for all input until its `up`. */
  readonly keys: (chord: string, how?: KeyHow) => Promise<void>;
  /** The modifiers that are down, which make a chord of every other key. */
  readonly heldModifiers: () => readonly string[];
  readonly insertText: (text: string) => Promise<void>;
}

export interface KeyHow {
  readonly phase?: 'down' | 'up';
  readonly held?: () => Promise<unknown>;
}

export interface ViewportPart {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PictureOptions {
  readonly format: 'png' | 'jpeg';
  readonly quality?: number;
  readonly maxWidth?: number;
  readonly maxHeight?: number;
}

export interface Picture {
  /** Base64, without a `data:` prefix. */
  readonly image: string;
  readonly mime_type: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
}

export interface TabInfo {
  readonly tab_id: string;
  readonly runtime_key?: string;
  readonly url: string;
  readonly title: string;
  readonly active: boolean;
}

/** Lent tabs only; other tabs are invisible. */
export interface Tabs {
  /** The tab of this surface. */
  readonly own: string;
  readonly list: () => Promise<readonly TabInfo[]>;
  readonly activate: (tabId: string) => Promise<void>;
  readonly open: (url: string, active: boolean) => Promise<TabInfo>;
  readonly close: (tabId: string) => Promise<void>;
  /** Defaults to this tab. Resolves when the new document is ready or the browser refused. */
  readonly navigate: (
    to: { readonly url: string } | { readonly reload: true } | { readonly back: true },
    tabId?: string,
  ) => Promise<Surface>;
}

export interface Dialog {
  readonly dialog: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  readonly message: string;
}

export interface Dialogs {
  readonly open: () => Dialog | undefined;
  /** Returns the dialog's text as the page wrote it; mask it in the page before passing it on. */
  readonly answer: (accept: boolean, text?: string) => Promise<string>;
}

/** A file that a page of a lent tab saved. */
export interface SavedFile {
  readonly attachment_id: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The origin of the page that saved it. */
  readonly origin: string;
}

export interface FileContent {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly read: (from: number, length: number) => Promise<Uint8Array>;
}

export interface HostFiles {
  /** Files of all lent tabs, oldest first. */
  readonly saved: () => readonly SavedFile[];
  /** Fails with a BridgeError for an unknown attachment, and for a path outside the allowed folders. */
  readonly open: (
    file: { readonly attachment_id: string } | { readonly path: string },
  ) => Promise<FileContent>;
  /** Whether a page of a lent tab has held this secret. */
  readonly holdsSecret: (content: string) => boolean;
}

export interface Clipboard {
  readonly read: () => Promise<string>;
  readonly write: (text: string) => Promise<void>;
  /** Records a text that the agent copied. */
  readonly own: (text: string) => void;
  /** Whether the present text is that one, and not the person's. */
  readonly isOwn: () => Promise<boolean>;
}

/** One console message or error. `origin` is the page's, whichever frame wrote it. */
export interface InspectedMessage {
  /** Origin of the tab's page at that time. */
  readonly origin: string;
  /** Origin of the document that wrote it: the page or one of its frames. */
  readonly document_origin: string;
  readonly level: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Address and line of the script. */
  readonly source?: string;
}

export interface InspectedRequest {
  readonly request_id: string;
  /** Origin of the tab's page at that time. */
  readonly origin: string;
  /** Origin of the document that sent it. */
  readonly document_origin: string;
  readonly method: string;
  readonly url: string;
  readonly type: string;
  readonly status?: number;
  readonly failure?: string;
  readonly ms?: number;
  readonly bytes?: number;
}

export interface InspectedBody {
  readonly mime_type: string;
  readonly body: string;
}

export interface InspectedCookie {
  readonly name: string;
  readonly http_only: boolean;
  readonly secure: boolean;
  readonly same_site?: string;
}

/** Nothing of the relay or of a closed private address is in it. Texts are as the page wrote them. */
export interface Inspection {
  /** Response bodies are kept from the first use on. */
  readonly start: () => Promise<void>;
  readonly messages: () => readonly InspectedMessage[];
  readonly requests: () => readonly InspectedRequest[];
  /** Fails with a BridgeError for a body that is pending, no text, or not kept. */
  readonly body: (requestId: string) => Promise<InspectedBody>;
  /** Cookies that the page's address gets, without values. */
  readonly cookies: () => Promise<readonly InspectedCookie[]>;
  /** Masks the secrets of all lent tabs. */
  readonly mask: (text: string) => string;
}

/** The document left while page code ran in it; the action may or may not have happened. */
export class DocumentLeft extends Error {
  override readonly name = 'DocumentLeft';
}
