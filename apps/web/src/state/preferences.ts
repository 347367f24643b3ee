/** A person's choices on this device, unknown to the relay. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly language: 'system' | 'en' | 'de';
  readonly pinned: readonly string[];
  readonly archived: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  /** Last seen message by session. */
  readonly read: Readonly<Record<string, string>>;
  readonly drafts: Readonly<Record<string, string>>;
  /** Dropped failed messages, and questions answered here. */
  readonly dropped: readonly string[];
  readonly isDetailsOpen: boolean;
  /** The first steps were hidden. */
  readonly isStarted: boolean;
  /** The person knows where the browser sends a dictation. */
  readonly isDictationKnown: boolean;
}

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  language: 'system',
  pinned: [],
  archived: [],
  names: {},
  read: {},
  drafts: {},
  dropped: [],
  isDetailsOpen: true,
  isStarted: false,
  isDictationKnown: false,
};

export interface PreferenceStore {
  readonly get: () => Preferences;
  readonly subscribe: (listener: () => void) => () => void;
  readonly set: (change: Partial<Preferences> | ((known: Preferences) => Partial<Preferences>)) => void;
}

/** Also read by `public/theme.js` before the first paint. */
const KEY = 'drawbridge';

export function createPreferences(
  storage: Storage,
  events: Pick<Window, 'addEventListener'>,
): PreferenceStore {
  let known = parsePreferences(storage.getItem(KEY));
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  // Changed by another tab.
  events.addEventListener('storage', ({ key, newValue }) => {
    if (key !== KEY) return;
    known = parsePreferences(newValue);
    tell();
  });
  return {
    get: () => known,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(change) {
      known = { ...known, ...(typeof change === 'function' ? change(known) : change) };
      try {
        storage.setItem(KEY, JSON.stringify(known));
      } catch {
        // Storage full or private browsing: kept until the page closes.
      }
      tell();
    },
  };
}

export function parsePreferences(text: string | null): Preferences {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '{}');
  } catch {
    return DEFAULT_PREFERENCES;
  }
  const field = (name: keyof Preferences): unknown =>
    typeof stored === 'object' && stored !== null ? Reflect.get(stored, name) : undefined;
  const { theme, language, isDetailsOpen } = DEFAULT_PREFERENCES;
  return {
    theme: oneOf(['system', 'light', 'dark'], field('theme'), theme),
    language: oneOf(['system', 'en', 'de'], field('language'), language),
    pinned: texts(field('pinned')),
    archived: texts(field('archived')),
    names: textMap(field('names')),
    read: textMap(field('read')),
    drafts: textMap(field('drafts')),
    dropped: texts(field('dropped')),
    isDetailsOpen:
      typeof field('isDetailsOpen') === 'boolean' ? field('isDetailsOpen') === true : isDetailsOpen,
    isStarted: field('isStarted') === true,
    isDictationKnown: field('isDictationKnown') === true,
  };
}

const oneOf = <Word extends string>(words: readonly Word[], value: unknown, otherwise: Word): Word =>
  words.find((word) => word === value) ?? otherwise;

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

const textMap = (value: unknown): Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one === 'string'))
    : {};

export const toggled = (list: readonly string[], id: string): readonly string[] =>
  list.includes(id) ? list.filter((one) => one !== id) : [...list, id];
