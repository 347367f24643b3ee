import {
  type AttachmentEffect,
  type AttachmentStates,
  type AttachmentStatus,
  attachmentStatus,
  startAttachments,
  stepAttachment,
} from '@drawbridge/manifest';
import type { AttachmentEvent } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import type { Attachment } from '@drawbridge/protocol/manifest';
import type { SurfaceHost } from '../host.ts';
import type { Acting } from './acting.ts';

/** Requests of an attachment to the runtime, beyond changes of the page. */
export type AttachmentNeed =
  | Exclude<AttachmentEffect, { readonly type: 'install' | 'remove' }>
  /** The attachment could not be placed, or kept, at its target. */
  | { readonly type: 'missing'; readonly id: string; readonly message: string };

/**
 * Keeps the attachments of the current map on the current document. Adding or removing one moves its
 * neighbours, so it queues with acting calls: otherwise a press could hit where an element was before.
 */
export type Attachments = ReturnType<typeof createAttachments>;

type Install = Extract<AttachmentEffect, { readonly type: 'install' }>;

export function createAttachments(
  host: SurfaceHost,
  { inTurn }: Acting,
  onNeed: (need: AttachmentNeed) => void,
) {
  /** A new list for each document, so that decisions for an earlier one are dropped. */
  let attachments: readonly Attachment[] = [];
  let states: AttachmentStates = new Map();
  /** A page that rejects one is retried after its changes, but reported once. */
  const missing = new Set<string>();
  const takenAway = new Set<string>();

  const perform = async (effects: readonly AttachmentEffect[]): Promise<void> => {
    for (const effect of effects) {
      if (effect.type === 'install') await install(effect);
      else if (effect.type === 'remove') {
        await change('removeAttachment', { id: effect.id, anchor: effect.anchor });
      } else onNeed(effect);
    }
  };

  const change = (name: string, order: object): Promise<void> => {
    const decidedFor = attachments;
    return inTurn(async () => {
      if (attachments === decidedFor) await host.callPage(name, [order]);
    });
  };

  async function install({ type: _, ...order }: Install): Promise<void> {
    try {
      await change('installAttachment', order);
    } catch (error) {
      // The browser refuses some places, such as beside the root element.
      if (!(error instanceof BridgeError && error.code === 'handler_failed')) throw error;
      await receive({ type: 'install_failed', id: order.id, anchor: order.anchor }, new Set());
    }
  }

  async function receive(event: AttachmentEvent, current: ReadonlySet<string>): Promise<void> {
    const known = event.type === 'observed' ? { ...event, states: current } : event;
    const answer = stepAttachment(attachments, states, known);
    states = answer.states;
    reportLoss(event);
    await perform(answer.effects);
  }

  function reportLoss({ id, type }: AttachmentEvent): void {
    const attachment = attachments.find((one) => one.id === id);
    if (attachment === undefined) return;
    if (type === 'installed') for (const ids of [missing, takenAway]) ids.delete(id);
    if (type === 'detached') takenAway.add(id);
    // An attachment removed together with its target is not missing; the next look decides.
    const notKept =
      type === 'observed' &&
      takenAway.has(id) &&
      states.get(id)?.anchors.length !== 0 &&
      attachment.lifecycle['reattach'] !== 'on_url_or_dom_change';
    if (missing.has(id) || !(notKept || type === 'install_failed')) return;
    missing.add(id);
    onNeed({
      type: 'missing',
      id,
      message: notKept ? lostMessage(attachment) : notPutMessage(attachment),
    });
  }

  return {
    /** A new map or document: starts over. */
    async start(next: readonly Attachment[]): Promise<void> {
      if (attachments.length === 0 && next.length === 0) return;
      attachments = [...next];
      for (const ids of [missing, takenAway]) ids.clear();
      const started = startAttachments(attachments);
      states = started.states;
      await perform(started.effects);
      await host.callPage('observeAttachments', [attachments]);
    },
    /** The document is gone, with its attachments. */
    forget(): void {
      attachments = [];
      states = new Map();
    },
    receive,
    status: (): readonly AttachmentStatus[] => attachmentStatus(states),
  };
}

const notPutMessage = ({ id, affordance }: Attachment): string =>
  `The page has no place for ${id} ${affordance?.placement ?? 'afterend'} of its target. Correct its target or its placement in the map.`;

const lostMessage = ({ id }: Attachment): string =>
  `The page took ${id} away, and its map does not ask for it back. Set its lifecycle.reattach to on_url_or_dom_change, or choose another target.`;
