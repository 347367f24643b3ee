/** Who takes part in a protocol, as the reference names them. */
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

/** What a schema cannot say of its message. `docs/reference` and the AsyncAPI file are made from it. */
export interface MessageNote {
  readonly route: readonly Hop[];
  /** One sentence. */
  readonly purpose: string;
}

/** One note for each message: a message without one does not compile. */
export type NotesOf<Messages> = { readonly [Kind in keyof Messages]: MessageNote };

/**
 * What a field is for, where its name and type do not tell. The key is the field as its table shows it
 * (`resume.sessions[].last_sequence`), after the message's or object's name where only one is meant.
 */
export type FieldNotes = Readonly<Record<string, string>>;

export const note = (route: readonly Hop[], purpose: string): MessageNote => ({ route, purpose });
