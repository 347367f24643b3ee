import type { Asker } from '@drawbridge/protocol';
import type { SurfaceHost } from '../host.ts';

export interface AskPersonOptions {
  readonly runtimeId: string;
  readonly host: SurfaceHost;
  readonly asker: Asker;
  readonly newId: () => string;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Asks the person to look at the page, for a check or an attachment. */
export type AskPerson = (about: string, message: string) => Promise<void>;

const ASK_PERSON_MS = 10 * 60_000;

export function createAskPerson(options: AskPersonOptions): AskPerson {
  const { runtimeId, host, asker, newId, now, signal, onError } = options;
  return async (about, message) => {
    const { url } = host.surface();
    const question = {
      question_id: newId(),
      runtime_id: runtimeId,
      call_id: `check-${about}`,
      origin: URL.canParse(url) ? new URL(url).origin : 'null',
      name: 'handoff_to_user',
      kind: 'handover' as const,
      effect: 'act' as const,
      sentence: message,
      data: [],
      call_hash: newId(),
      expires_at: now() + ASK_PERSON_MS,
    };
    await asker.ask(question, signal).catch(onError);
  };
}
