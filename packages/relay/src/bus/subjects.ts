export interface Subjects {
  /** A subject per session where the message is about one, so that a node could subscribe to some only. */
  readonly ofSession: (session_id: string) => string;
  readonly ofKind: (kind: string) => string;
  readonly all: string;
  /** Prefix of the subjects of replies, outside of `all`: only the asking node receives them. */
  readonly replies: string;
}

/** Encodes ids, because NATS gives a meaning to dots, spaces and stars. */
const token = (id: string): string => Buffer.from(id).toString('base64url') || '_';

export function createSubjects(epoch: string): Subjects {
  const root = `drawbridge.${token(epoch)}`;
  return {
    ofSession: (session_id) => `${root}.session.${token(session_id)}`,
    ofKind: (kind) => `${root}.${kind}`,
    all: `${root}.>`,
    replies: `drawbridge.replies.${token(epoch)}`,
  };
}
