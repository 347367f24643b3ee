/** Events from the host. An anchor is the host's own name for one element that matches the target. */
export type AttachmentEvent =
  /** Every anchor that matches the target on the page now. */
  | {
      readonly type: 'observed';
      readonly id: string;
      readonly url: string;
      readonly states: ReadonlySet<string>;
      readonly anchors: readonly string[];
    }
  | { readonly type: 'installed'; readonly id: string; readonly anchor: string }
  | { readonly type: 'install_failed'; readonly id: string; readonly anchor: string }
  | { readonly type: 'removed'; readonly id: string; readonly anchor: string }
  /** The page removed our node. */
  | { readonly type: 'detached'; readonly id: string; readonly anchor: string }
  /** `trusted` is the DOM's `isTrusted`: false when a page script made the click. */
  | { readonly type: 'activated'; readonly id: string; readonly anchor: string; readonly trusted: boolean };

export type AttachmentChange = 'installed' | 'reattached' | 'removed' | 'detached' | 'drifted' | 'activated';

/** Commands for the host, to run in this order. */
export type AttachmentEffect =
  | {
      readonly type: 'install';
      readonly id: string;
      readonly anchor: string;
      readonly kind: string;
      readonly label: string;
      readonly placement: string;
    }
  | { readonly type: 'remove'; readonly id: string; readonly anchor: string }
  /** Runs as the person's own action, without an agent's grant. */
  | {
      readonly type: 'run_tool';
      readonly id: string;
      readonly tool: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      readonly actor: 'person';
    }
  | { readonly type: 'signal'; readonly name: string; readonly payload: Readonly<Record<string, unknown>> }
  | { readonly type: 'drift'; readonly id: string; readonly message: string }
  | { readonly type: 'prompt_person'; readonly id: string; readonly message: string }
  | { readonly type: 'warning'; readonly id: string; readonly message: string };
