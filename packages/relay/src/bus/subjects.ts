import type { Note } from '../core/ports.ts';

export interface Subjects {
  /** A session's own where it is about one, so that a node could listen to some of them only. */
  readonly of: (note: Note) => string;
  readonly all: string;
}

/** NATS gives a meaning to dots, spaces and stars: ids of others are written without. */
const token = (id: string): string => Buffer.from(id).toString('base64url') || '_';

export function createSubjects(epoch: string): Subjects {
  const root = `drawbridge.${token(epoch)}`;
  return {
    of: (note) =>
      note.kind === 'appended' ? `${root}.session.${token(note.session_id)}` : `${root}.${note.kind}`,
    all: `${root}.>`,
  };
}
