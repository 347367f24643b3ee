import type { BusMessage } from '../core/ports.ts';

export interface Subjects {
  /** A subject per session where the message is about one, so that a node could subscribe to some only. */
  readonly of: (message: BusMessage) => string;
  readonly all: string;
}

/** Encodes ids, because NATS gives a meaning to dots, spaces and stars. */
const token = (id: string): string => Buffer.from(id).toString('base64url') || '_';

export function createSubjects(epoch: string): Subjects {
  const root = `drawbridge.${token(epoch)}`;
  return {
    of: (message) =>
      message.kind === 'appended'
        ? `${root}.session.${token(message.session_id)}`
        : `${root}.${message.kind}`,
    all: `${root}.>`,
  };
}
