import type { ChatEvent } from '@drawbridge/link/chat';
import type { Delivery } from '@drawbridge/ui/model';

const RANKS: Readonly<Record<Delivery['status'], number>> = {
  queued: 0,
  accepted: 1,
  delivered: 2,
  failed: 2,
  cancelled: 2,
};

/** CHT-154: settled states are final; an event's failure reason outranks a history without one. */
export function furthest(known: Delivery | undefined, news: Delivery): Delivery {
  if (known === undefined || RANKS[known.status] < RANKS[news.status]) return news;
  // CHT-349: it ends with the outcome.
  if (known.status === 'accepted' && news.status === 'accepted' && news.isChecking)
    return { ...known, isChecking: true };
  const isUntold = known.status === 'failed' && known.code === undefined;
  return isUntold && (news.status === 'failed' || news.status === 'cancelled') ? news : known;
}

type DeliveryEvent = Extract<
  ChatEvent,
  { type: 'message_accepted' | 'message_delivered' | 'message_failed' | 'message_cancelled' }
>;

export function deliveryOf(event: DeliveryEvent): Delivery {
  switch (event.type) {
    case 'message_accepted':
      return { status: 'accepted', at: Date.parse(event.accepted_at) };
    case 'message_delivered':
      return { status: 'delivered', at: Date.parse(event.delivered_at) };
    case 'message_cancelled':
      return { status: 'cancelled', at: Date.parse(event.cancelled_at) };
    case 'message_failed': {
      const { code, message } = event.error;
      const at = Date.parse(event.failed_at);
      return code === 'cancelled'
        ? { status: 'cancelled', at }
        : { status: 'failed', at, code, message, isUnknown: event.indeterminate === true };
    }
  }
}
