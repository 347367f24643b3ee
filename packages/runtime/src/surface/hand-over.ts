import type { Cancellation } from '@drawbridge/manifest';
import type { Asker } from '@drawbridge/protocol';
import type { SurfaceHost } from '../host.ts';

export interface HandOverOptions {
  readonly runtimeId: string;
  readonly host: SurfaceHost;
  readonly asker: Asker;
  readonly newId: () => string;
  readonly now: () => number;
  readonly cancellation: Cancellation;
  readonly onTrouble: (error: unknown) => void;
}

/** Asks the person to look at the page, for a check or an attachment. */
export type HandOver = (about: string, message: string) => Promise<void>;

const HAND_OVER_MS = 10 * 60_000;

export function createHandOver(options: HandOverOptions): HandOver {
  const { runtimeId, host, asker, newId, now, cancellation, onTrouble } = options;
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
      expires_at: now() + HAND_OVER_MS,
    };
    await asker.ask(question, cancellation).catch(onTrouble);
  };
}
