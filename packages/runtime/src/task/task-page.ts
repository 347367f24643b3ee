import type {
  Action,
  ActionDetails,
  MapTool,
  SemanticNode,
  SemanticNodeV2,
  SemanticPage,
} from '@drawbridge/protocol';

/** A task's access to one surface. Calls end early, with any error, when the signal aborts. */
export interface TaskPage {
  /** Looks once the page is stable. Fails with a BridgeError when there is no page. */
  readonly perceive: (wanted: Wanted, signal: AbortSignal) => Promise<Perceived>;
  /** Never fails when the page or a person refuses: that is an `Acted`. */
  readonly act: (act: Act, signal: AbortSignal) => Promise<Acted>;
  /** Finds how to locate an action's element again, and whether its value is a secret. Never fails. */
  readonly describe: (action: Action, signal: AbortSignal) => Promise<ElementFacts>;
  /** A small screenshot of the current view. */
  readonly thumbnail?: (signal: AbortSignal) => Promise<Thumbnail>;
}

/** Extras of a look beside the tree; none unless the decider asked (INT-78). */
export interface Wanted {
  /** The task's query, by which a huge page is cut (INT-249). */
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
  /** Only without a semantic capture (INT-108); then the tree is empty and `skeletonDom` is set. */
  readonly domMode?: 'skeleton' | 'hybrid';
  /** Only when the V3 tree is empty or unavailable (INT-255); then `dom` is short. */
  readonly semanticNodes?: readonly SemanticNodeV2[];
  /** Share of a huge page that was kept. */
  readonly filtered?: Filtered;
  /** Tools that the site's map declares for this page. */
  readonly tools?: readonly MapTool[];
  readonly skeletonDom?: string;
  readonly dom?: string;
  /** Absent when not requested or not available (INT-272). */
  readonly screenshot?: Screenshot;
}

export interface Filtered {
  readonly dom_filtered: true;
  readonly filter_reason?: string;
  readonly original_node_count?: number;
  readonly token_reduction?: number;
}

export interface Screenshot {
  /** Bare base64; null when equal to the last one. */
  readonly image: string | null;
  readonly hash?: string;
}

export interface Thumbnail {
  readonly image: string;
  readonly mime_type: string;
}

export interface Act {
  readonly action: Action;
  /** Details of the decider for its action; `selectorPath` finds an element whose id is gone (INT-128). */
  readonly details?: ActionDetails;
  /** The plan's expected outcome. */
  readonly expected?: Readonly<Record<string, unknown>>;
  /** The page as seen at the decision. */
  readonly seen: Perceived;
}

export interface ElementFacts {
  readonly selectorPath?: string;
  readonly secret?: boolean;
}

export interface PageLocation {
  readonly url: string;
  readonly title?: string;
}

export type Acted = Done | Undone;

export interface Done {
  readonly ok: true;
  readonly effect: ActEffect;
  readonly after: PageLocation;
}

/** `indeterminate`: the action may have happened, because the connection or the deadline ended during it. */
export interface Undone {
  readonly ok: false;
  readonly error: ActError;
  readonly indeterminate?: true;
}

export interface ActError {
  /** The reason if there is one (`covered`, `not_a_choice`), else the bridge's code. */
  readonly code: string;
  readonly message: string;
}

export interface ActEffect {
  /** False: nothing visible changed. */
  readonly happened: boolean;
  readonly didUrlChange: boolean;
  /** Absent when not watched. */
  readonly didDomMutate?: boolean;
  readonly didNetworkOccur?: boolean;
  /** Added (`+`), removed (`-`) and changed (`~`) nodes, one per line. */
  readonly changes: readonly string[];
  /** Messages of the page during the action, including those that have disappeared. */
  readonly events: readonly string[];
  readonly passed: boolean;
  readonly message: string;
  readonly errors: readonly string[];
  readonly successes: readonly string[];
  /** The answer of a called tool, or the new value of a field. */
  readonly answer?: string;
  /** Set when another element replaced the one of the id. */
  readonly healed?: { readonly to: string; readonly by: 'likeness' | 'selector' };
  /** Whether the plan's expected selector was found (INT-83). */
  readonly expected?: { readonly selector: string; readonly found: boolean };
}
