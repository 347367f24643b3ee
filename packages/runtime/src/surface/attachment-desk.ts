import {
  type AttachmentEffect,
  type AttachmentStates,
  type AttachmentStatus,
  attachmentStatus,
  startAttachments,
  stepAttachment,
} from '@drawbridge/manifest';
import type { AttachmentEvent } from '@drawbridge/page';
import type { Attachment } from '@drawbridge/protocol/manifest';
import type { SurfaceHost } from '../host.ts';

/** What an attachment asks of the runtime, beyond putting things onto the page. */
export type AttachmentNeed = Exclude<AttachmentEffect, { readonly type: 'install' | 'remove' }>;

/** Keeps the attachments of the current map on the current document. */
export interface AttachmentDesk {
  /** Another map or another document: everything starts over. */
  readonly start: (attachments: readonly Attachment[]) => Promise<void>;
  readonly hear: (event: AttachmentEvent, states: ReadonlySet<string>) => Promise<void>;
  readonly status: () => readonly AttachmentStatus[];
}

export function createAttachmentDesk(
  host: SurfaceHost,
  onNeed: (need: AttachmentNeed) => void,
): AttachmentDesk {
  let attachments: readonly Attachment[] = [];
  let states: AttachmentStates = new Map();

  const perform = async (effects: readonly AttachmentEffect[]): Promise<void> => {
    for (const effect of effects) {
      if (effect.type === 'install') {
        const { type: _, ...order } = effect;
        await host.callPage('installAttachment', [order]);
      } else if (effect.type === 'remove') {
        await host.callPage('removeAttachment', [{ id: effect.id, anchor: effect.anchor }]);
      } else onNeed(effect);
    }
  };

  return {
    async start(next) {
      if (attachments.length === 0 && next.length === 0) return;
      attachments = next;
      const started = startAttachments(attachments);
      states = started.states;
      await perform(started.effects);
      await host.callPage('observeAttachments', [attachments]);
    },
    async hear(event, current) {
      const known = event.type === 'observed' ? { ...event, states: current } : event;
      const answer = stepAttachment(attachments, states, known);
      states = answer.states;
      await perform(answer.effects);
    },
    status: () => attachmentStatus(states),
  };
}
