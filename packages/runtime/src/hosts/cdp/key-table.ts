import { BridgeError } from '@drawbridge/protocol';

export interface Key {
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  /** Typed text without modifiers, or with Shift only. */
  readonly text?: string;
}

export interface Chord {
  readonly modifiers: readonly Key[];
  readonly key: Key;
}

const named = (key: string, windowsVirtualKeyCode: number, code = key, text?: string): Key => ({
  key,
  code,
  windowsVirtualKeyCode,
  ...(text !== undefined && { text }),
});

const MODIFIERS: Readonly<Record<string, Key>> = {
  alt: named('Alt', 18, 'AltLeft'),
  control: named('Control', 17, 'ControlLeft'),
  meta: named('Meta', 91, 'MetaLeft'),
  shift: named('Shift', 16, 'ShiftLeft'),
};

const NAMED_KEYS: Readonly<Record<string, Key>> = {
  enter: named('Enter', 13, 'Enter', '\r'),
  tab: named('Tab', 9),
  escape: named('Escape', 27),
  backspace: named('Backspace', 8),
  delete: named('Delete', 46),
  insert: named('Insert', 45),
  contextmenu: named('ContextMenu', 93),
  space: named(' ', 32, 'Space', ' '),
  ' ': named(' ', 32, 'Space', ' '),
  pageup: named('PageUp', 33),
  pagedown: named('PageDown', 34),
  end: named('End', 35),
  home: named('Home', 36),
  arrowleft: named('ArrowLeft', 37),
  arrowup: named('ArrowUp', 38),
  arrowright: named('ArrowRight', 39),
  arrowdown: named('ArrowDown', 40),
};

/** Aliases that page code accepts too. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  return: 'enter',
  esc: 'escape',
  del: 'delete',
  left: 'arrowleft',
  up: 'arrowup',
  right: 'arrowright',
  down: 'arrowdown',
  option: 'alt',
  ctrl: 'control',
  cmd: 'meta',
  command: 'meta',
};

/** Keys of a US keyboard other than letters and digits: plain and shifted character, code, number. */
const SIGNS: readonly (readonly [string, string, number])[] = [
  [';:', 'Semicolon', 186],
  ['=+', 'Equal', 187],
  [',<', 'Comma', 188],
  ['-_', 'Minus', 189],
  ['.>', 'Period', 190],
  ['/?', 'Slash', 191],
  ['`~', 'Backquote', 192],
  ['[{', 'BracketLeft', 219],
  ['\\|', 'Backslash', 220],
  [']}', 'BracketRight', 221],
  [`'"`, 'Quote', 222],
];
const SHIFTED_DIGITS = ')!@#$%^&*(';

/** CDP's bits: https://chromedevtools.github.io/devtools-protocol/tot/Input/#method-dispatchKeyEvent */
export const MODIFIER_BITS: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

/** `Control+Shift+k`, `Enter`, `a`, `+`. */
export function parseChord(text: string): Chord {
  const parts = text === '+' ? ['+'] : text.replace(/\+\+$/, '+plus').split('+');
  const modifiers = parts.slice(0, -1).map((part) => lookUp(MODIFIERS, part));
  const key = keyOf(parts.at(-1) ?? '');
  if (key === undefined || modifiers.includes(undefined)) {
    throw new BridgeError('invalid_input', `'${text}' is no key: write Enter, a, or Control+Shift+k.`);
  }
  return { modifiers: modifiers.filter((modifier) => modifier !== undefined), key };
}

function lookUp(table: Readonly<Record<string, Key>>, text: string): Key | undefined {
  const name = text.toLowerCase();
  const known = Object.hasOwn(OTHER_NAMES, name) ? (OTHER_NAMES[name] ?? name) : name;
  return Object.hasOwn(table, known) ? table[known] : undefined;
}

function keyOf(text: string): Key | undefined {
  const sign = text.toLowerCase() === 'plus' ? '+' : text;
  const byName = lookUp(NAMED_KEYS, sign) ?? lookUp(MODIFIERS, sign);
  if (byName !== undefined) return byName;
  const number = /^f([1-9]|1[0-2])$/i.exec(sign)?.[1];
  if (number !== undefined) return named(`F${number}`, 111 + Number(number));
  return [...sign].length === 1 ? characterKey(sign) : undefined;
}

function characterKey(text: string): Key {
  const upper = text.toUpperCase();
  if (/^[A-Z]$/.test(upper)) return { ...named(text, upper.charCodeAt(0), `Key${upper}`), text };
  const digit = /^\d$/.test(text) ? Number(text) : SHIFTED_DIGITS.indexOf(text);
  if (digit >= 0) return { ...named(text, 48 + digit, `Digit${digit}`), text };
  const sign = SIGNS.find(([both]) => both.includes(text));
  // A character on no key of this keyboard arrives as text, as from an input method.
  return sign === undefined ? named(text, 0, '', text) : named(text, sign[2], sign[1], text);
}
