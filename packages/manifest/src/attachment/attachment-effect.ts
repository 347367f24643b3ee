/** What a host tells the machine. An anchor is the host's own name for one element that fits the target. */
export type AttachmentEvent =
  /** A look at the page: every anchor that fits the target's elements now. */
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
  /** The page took our node away. */
  | { readonly type: 'detached'; readonly id: string; readonly anchor: string }
  /** `trusted` is the DOM's `isTrusted`: a page script can click, but not as a person. */
  | { readonly type: 'activated'; readonly id: string; readonly anchor: string; readonly trusted: boolean };

export type AttachmentChange = 'installed' | 'reattached' | 'removed' | 'detached' | 'drifted' | 'activated';

/** What the machine asks of its host, to be done in this order. */
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
  /** The person's own act: the host asks for no agent's grant, and runs it as theirs. */
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
