import { pusherChecks } from '../generated/pusher-checks.ts';
import { LIMITS } from '../wire/limits.ts';
import { defineProtocol, kindFrom, quote, type Refusal } from '../wire/protocol.ts';
import { PUSHER_FRAMES, type PusherFrame } from './frames.ts';

const eventOf = kindFrom('event');

/** Any name is an event that somebody published, but for the prefixes that Pusher keeps for itself. */
function kindOf(frame: Readonly<Record<string, unknown>>): string | Refusal {
  const event = eventOf(frame);
  if (typeof event !== 'string' || (Object.hasOwn(PUSHER_FRAMES, event) && event !== 'channel_event'))
    return event;
  if (!/^pusher(_internal)?:/.test(event)) return 'channel_event';
  return { path: 'event', message: `is unknown: ${quote(event)}` };
}

export const pusher = defineProtocol<PusherFrame>({
  noun: 'Pusher frame',
  maxChars: LIMITS.frame.value,
  refuseWith: 'invalid_message',
  schemas: PUSHER_FRAMES,
  checks: pusherChecks,
  kindOf,
});
