import { BridgeError } from '@drawbridge/protocol';

type Args = Readonly<Record<string, unknown>>;

/** Keys that press; all others only write or move the focus. Control characters count as their keys. */
const ENTER = /(?:^|\+)(?:Enter|Return|NumpadEnter|[\n\r])$/i;
const SPACE = /(?:^|\+)(?:Space| )$/i;
const PASTE = /(?:^|\+)(?:(?:Control|Ctrl|Meta|Cmd|Command)\+(?:.*\+)?v|Shift\+(?:.*\+)?Insert)$/i;

/** The call with the modifiers that are held down as a part of its chords: held Control makes a paste of `v`. */
export function withHeldModifiers(name: string, args: Args, held: readonly string[]): Args {
  const { keys, modifiers, phase } = args;
  if (name === 'keyboard.press')
    return { ...args, modifiers: [...held, ...(Array.isArray(modifiers) ? modifiers : [])] };
  if (name !== 'element.keys' || phase === 'up') return args;
  const whole = (chord: unknown) => [...held, chord].join('+');
  return { ...args, keys: Array.isArray(keys) ? keys.map(whole) : whole(keys) };
}

/** How a call's first chord acts on the focused element. */
export function mannerOf(name: string, args: Args): 'enter' | 'space' | 'keys' {
  const [first = ''] = chordsOf(name, args);
  if (ENTER.test(first)) return 'enter';
  return SPACE.test(first) ? 'space' : 'keys';
}

/** After another key the focus may be anywhere: only the first key has a known target. */
export const pressesBlindly = (name: string, args: Args): boolean =>
  chordsOf(name, args)
    .slice(1)
    .some((chord) => ENTER.test(chord) || SPACE.test(chord));

/** A question would name the target of the first key while a later key presses another element. */
export function requireOnePress(name: string, args: Args): void {
  if (name !== 'element.keys' || !pressesBlindly(name, args)) return;
  const message =
    'Enter and Space may only be the first of several keys, because earlier keys may move the focus. Press them in a separate call; for text use element.type.';
  throw new BridgeError('invalid_input', message, { evidence: { keys: args['keys'] } });
}

export const pastesClipboard = (name: string, args: Args): boolean =>
  chordsOf(name, args).some((chord) => PASTE.test(chord));

function chordsOf(name: string, { keys, key, modifiers, repeat }: Args): string[] {
  if (name === 'element.keys') return [keys].flat().map(String);
  if (name !== 'keyboard.press') return [];
  const chord = [...(Array.isArray(modifiers) ? modifiers : []), key].join('+');
  return Number(repeat ?? 1) > 1 ? [chord, chord] : [chord];
}
