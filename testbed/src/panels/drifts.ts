/** Change of a part in a later version of a panel. */
export type Change =
  /** Different classes, test ids and labels. */
  | { readonly kind: 'renamed'; readonly parts: readonly Part[] }
  /** Only the hashes in class names change. */
  | { readonly kind: 'rehashed' }
  /** New elements around it. */
  | { readonly kind: 'wrapped'; readonly parts: readonly Part[] }
  /** Moved to the end of the document, as by a portal. */
  | { readonly kind: 'moved'; readonly parts: readonly Part[] }
  | { readonly kind: 'removed'; readonly parts: readonly Part[] }
  | { readonly kind: 'doubled'; readonly parts: readonly Part[] };

export type Part =
  | 'input'
  | 'send'
  | 'stop'
  | 'user'
  | 'assistant'
  | 'activity'
  | 'permission'
  | 'choice'
  | 'model'
  | 'mode'
  | 'new';

export const PANELS = ['claude', 'codex', 'gemini'] as const;
export type PanelName = (typeof PANELS)[number];

const renamed = (...parts: Part[]): Change => ({ kind: 'renamed', parts });
const EVERYWHERE: readonly Part[] = ['input', 'send', 'stop', 'user', 'assistant', 'model', 'mode', 'new'];

/** `?drift=1` selects the first. */
export const DRIFTS: Readonly<Record<PanelName, readonly Change[]>> = {
  claude: [
    { kind: 'rehashed' },
    { kind: 'wrapped', parts: [...EVERYWHERE, 'permission', 'choice'] },
    renamed('input'),
    renamed('send'),
    renamed('user'),
    renamed('assistant'),
    renamed('permission'),
    { kind: 'moved', parts: ['permission'] },
    { kind: 'removed', parts: ['stop'] },
    { kind: 'doubled', parts: ['input'] },
  ],
  codex: [
    { kind: 'wrapped', parts: [...EVERYWHERE, 'permission', 'choice'] },
    renamed('input'),
    renamed('send'),
    renamed('user'),
    renamed('assistant'),
    renamed('permission', 'choice'),
    { kind: 'moved', parts: ['permission'] },
    { kind: 'removed', parts: ['stop'] },
    { kind: 'doubled', parts: ['send'] },
    renamed('activity', 'new'),
  ],
  gemini: [
    { kind: 'wrapped', parts: EVERYWHERE },
    renamed('input'),
    renamed('send'),
    renamed('user'),
    renamed('assistant'),
    { kind: 'removed', parts: ['stop'] },
    { kind: 'removed', parts: ['send'] },
    { kind: 'doubled', parts: ['input'] },
    { kind: 'moved', parts: ['stop'] },
    renamed('new'),
  ],
};
