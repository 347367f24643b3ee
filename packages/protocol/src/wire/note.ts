/** Participants of a protocol, by their name in the reference. */
export type Peer =
  | 'agent'
  | 'app server'
  | 'browser'
  | 'client'
  | 'every browser'
  | 'extension'
  | 'map author'
  | 'older server'
  | 'proxy'
  | 'relay'
  | 'runtime';

export type Hop = readonly [from: Peer, to: Peer];

/**
 * Facts about a message that its schema does not contain. `docs/reference` and the AsyncAPI file are
 * generated from it.
 */
export interface MessageNote {
  readonly route: readonly Hop[];
  /** One sentence. */
  readonly purpose: string;
}

/** One note for each message: a message without one does not compile. */
export type NotesOf<Messages> = { readonly [Kind in keyof Messages]: MessageNote };

/**
 * Purposes of fields, where name and type do not show them. The key is the field as its table shows it
 * (`resume.sessions[].last_sequence`), after the name of the message or object when only one is meant.
 */
export type FieldNotes = Readonly<Record<string, string>>;

export const note = (route: readonly Hop[], purpose: string): MessageNote => ({ route, purpose });
