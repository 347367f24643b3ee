import { paint } from '../screenshot/overlay.ts';

export interface AffordanceLook {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  /** Pressable rather than text only. */
  readonly pressable: boolean;
}

/** Kinds that are always pressable; others only when they open something. */
export const PRESSABLE_KINDS: ReadonlySet<string> = new Set(['overlay_launcher', 'shortcut']);

const BASE =
  'all:initial; display:inline-block; font:500 13px/18px system-ui, sans-serif; border-radius:6px; padding:2px 8px; margin:0 4px; ';

const PRESSABLE_LOOK = 'background:#0b57d0; color:#fff; cursor:pointer';
const BADGE_LOOK = 'background:#e8f0fe; color:#0b3a8f; border-radius:10px';
const NOTE_LOOK = 'background:#fff7d6; color:#3b2f00; border:1px solid #8a6d00';

/** Our node in a closed shadow root, out of reach of the page's styles and scripts. */
export function createAffordanceNode(document: Document, look: AffordanceLook) {
  const host = document.createElement('span');
  host.setAttribute('data-drawbridge', 'attachment');
  paint(host, 'all:initial; display:inline-block; vertical-align:baseline');
  const part = document.createElement(look.pressable ? 'button' : 'span');
  part.textContent = look.label;
  const isBadge = look.kind === 'status_badge';
  // Role for assistive technology: https://www.w3.org/TR/wai-aria-1.2/#role_definitions
  if (look.pressable) part.setAttribute('type', 'button');
  else part.setAttribute('role', isBadge ? 'status' : 'note');
  paint(part, BASE + (look.pressable ? PRESSABLE_LOOK : isBadge ? BADGE_LOOK : NOTE_LOOK));
  host.attachShadow({ mode: 'closed' }).append(part);
  return {
    host,
    /** Every press by a person or a script, told apart by `isTrusted`. */
    onPress: (listener: (event: Event) => void): void => {
      if (look.pressable) part.addEventListener('click', listener);
    },
  };
}
