/** An element as a person names it. */
export interface Target {
  readonly name: string;
  /** Allowed roles, if the person named one: "the link Delivery". */
  readonly roles?: readonly string[];
  /** Counted from 1; -1 is the last. */
  readonly ordinal?: number;
}

export type Intent =
  | { readonly kind: 'navigate'; readonly url: string }
  | { readonly kind: 'back' }
  | { readonly kind: 'open'; readonly target: Target }
  | { readonly kind: 'press'; readonly target: Target }
  /** An unknown verb: a tool or button may have its name. */
  | { readonly kind: 'do'; readonly words: string }
  | { readonly kind: 'search'; readonly words: string }
  | SetIntent
  /** "Fill the form", without values. */
  | { readonly kind: 'form' }
  | { readonly kind: 'tick'; readonly target: Target; readonly wanted: boolean }
  | { readonly kind: 'submit' }
  | { readonly kind: 'scroll'; readonly way: 'down' | 'up' | 'top' | 'bottom' }
  | PutIntent
  | { readonly kind: 'read'; readonly what: string; readonly of: string }
  | { readonly kind: 'decline'; readonly words: string };

export interface SetIntent {
  readonly kind: 'set';
  readonly value: string;
  readonly field: string;
  /** The border between field name and value is a guess: the page's fields decide. */
  readonly isLoose?: true;
  readonly by: 'type' | 'choose';
}

/** "Add two lamps to the cart." */
export interface PutIntent {
  readonly kind: 'put';
  readonly thing: string;
  readonly quantity: number;
  readonly place: string;
}

/** A step of the plan for people. */
export function describeIntent(intent: Intent): string {
  switch (intent.kind) {
    case 'navigate':
      return `Go to ${intent.url}`;
    case 'back':
      return 'Go back';
    case 'open':
      return `Open ${describeTarget(intent.target)}`;
    case 'press':
      return `Press ${describeTarget(intent.target)}`;
    case 'do':
      return sentence(intent.words);
    case 'search':
      return `Search for ${quoted(intent.words)}`;
    case 'set':
      return describeSet(intent);
    case 'form':
      return 'Fill the form';
    case 'tick':
      return `${intent.wanted ? 'Tick' : 'Untick'} ${describeTarget(intent.target)}`;
    case 'submit':
      return 'Submit the form';
    case 'scroll':
      return `Scroll ${intent.way === 'top' || intent.way === 'bottom' ? `to the ${intent.way}` : intent.way}`;
    case 'put':
      return `Add ${intent.quantity} × ${intent.thing || 'this'} to ${intent.place}`;
    case 'read':
      return `Read the ${intent.what}${intent.of && ` of ${quoted(intent.of)}`}`;
    case 'decline':
      return sentence(intent.words);
  }
}

function describeSet({ by, field, value, isLoose }: SetIntent): string {
  if (by === 'choose') return `Choose ${quoted(value)}${field && ` in ${quoted(field)}`}`;
  if (isLoose) return `Fill in ${field}: ${shownValue(field, value)}`;
  return `Write ${shownValue(field, value)}${field && ` into ${quoted(field)}`}`;
}

const SECRET =
  /pass ?(?:word|code|phrase)|passwort|\b(?:pin|cvc|cvv|code|secret|token)\b|card number|kartennummer/iu;

/** Masks secrets, because plans are shown on every screen. */
export const shownValue = (field: string, value: string): string =>
  SECRET.test(field) ? 'a secret' : quoted(value);

function describeTarget({ name, ordinal }: Target): string {
  if (ordinal === undefined) return quoted(name);
  return ordinal < 0 ? `the last ${name}` : `${name} number ${ordinal}`;
}

export const quoted = (text: string): string => `“${text}”`;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
