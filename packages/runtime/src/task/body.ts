import type {
  Action,
  ActionDetails,
  MapTool,
  SemanticNode,
  SemanticNodeV2,
  SemanticPage,
} from '@drawbridge/protocol';

/** The eyes and hands of a task on one surface. Its calls end early, with whatever error, when the signal does. */
export interface TaskBody {
  /** Looks once the page has come to rest. Fails with a BridgeError when there is nothing to look at. */
  readonly perceive: (wanted: Wanted, signal: AbortSignal) => Promise<Perceived>;
  /** Never fails for what the page or a person refuses: that is an `Acted`. */
  readonly act: (act: Act, signal: AbortSignal) => Promise<Acted>;
  /** How to find the element of an action again, and whether what is written into it is a secret. Never fails. */
  readonly describe: (action: Action, signal: AbortSignal) => Promise<ElementFacts>;
  /** A small picture of what can be seen now. */
  readonly thumbnail?: (signal: AbortSignal) => Promise<Thumbnail>;
}

/** What a look brings beside the tree; nothing of it unless the mind asked (INT-78). */
export interface Wanted {
  /** What the task is about, to cut a huge page by (INT-249). */
  readonly query?: string;
  readonly skeleton?: boolean;
  readonly dom?: boolean;
  readonly screenshot?: boolean;
}

type PageSigns = Pick<
  SemanticPage,
  'viewport' | 'scrollPosition' | 'scrollableContainers' | 'recentEvents' | 'hasErrors' | 'hasSuccess'
>;

export interface Perceived extends PageSigns {
  readonly url: string;
  readonly title: string;
  readonly interactiveTree: readonly SemanticNode[];
  /** Only where there is no semantic capture (INT-108); then the tree is empty, and `skeletonDom` there. */
  readonly domMode?: 'skeleton' | 'hybrid';
  /** Only where the V3 tree is empty or could not be had (INT-255); then `dom` is a short one. */
  readonly semanticNodes?: readonly SemanticNodeV2[];
  /** How much of a huge page was kept. */
  readonly filtered?: Filtered;
  /** What the map of the site declares for this page. */
  readonly tools?: readonly MapTool[];
  readonly skeletonDom?: string;
  readonly dom?: string;
  /** Absent when it was not asked for, or could not be taken (INT-272). */
  readonly screenshot?: Screenshot;
}

export interface Filtered {
  readonly dom_filtered: true;
  readonly filter_reason?: string;
  readonly original_node_count?: number;
  readonly token_reduction?: number;
}

export interface Screenshot {
  /** Bare base64; null when it is the last one again. */
  readonly image: string | null;
  readonly hash?: string;
}

export interface Thumbnail {
  readonly image: string;
  readonly mime_type: string;
}

export interface Act {
  readonly action: Action;
  /** What the mind said beside its action; `selectorPath` finds an element whose id is gone (INT-128). */
  readonly details?: ActionDetails;
  /** What should come of it, as the plan says it. */
  readonly expected?: Readonly<Record<string, unknown>>;
  /** What was seen when it was decided on. */
  readonly seen: Perceived;
}

export interface ElementFacts {
  readonly selectorPath?: string;
  readonly secret?: boolean;
}

export interface PagePlace {
  readonly url: string;
  readonly title?: string;
}

export type Acted = Done | Undone;

export interface Done {
  readonly ok: true;
  readonly effect: ActEffect;
  readonly after: PagePlace;
}

/** `indeterminate`: it may have been done all the same (the connection or the time ran out in the middle). */
export interface Undone {
  readonly ok: false;
  readonly error: ActError;
  readonly indeterminate?: true;
}

export interface ActError {
  /** The reason where there is one (`covered`, `not_a_choice`), else the bridge's code. */
  readonly code: string;
  readonly message: string;
}

export interface ActEffect {
  /** False: nothing changed that a person could notice. */
  readonly happened: boolean;
  readonly didUrlChange: boolean;
  /** Absent where nobody watched. */
  readonly didDomMutate?: boolean;
  readonly didNetworkOccur?: boolean;
  /** Nodes that came (`+`), went (`-`) and changed (`~`), a line each. */
  readonly changes: readonly string[];
  /** What the page said meanwhile, also what has vanished again. */
  readonly events: readonly string[];
  readonly passed: boolean;
  readonly message: string;
  readonly errors: readonly string[];
  readonly successes: readonly string[];
  /** What a called tool answered, or a field reads now. */
  readonly answer?: string;
  /** Another element than the id named, since that one was gone. */
  readonly healed?: { readonly to: string; readonly by: 'likeness' | 'selector' };
  /** Whether the selector that the plan expected is there (INT-83). */
  readonly expected?: { readonly selector: string; readonly found: boolean };
}
