import { pusherChecks } from '../generated/pusher-checks.ts';
import { pusherHttpChecks } from '../generated/pusher-http-checks.ts';
import { isObject, readJson } from '../wire/json-text.ts';
import { LIMITS } from '../wire/limits.ts';
import { defineProtocol, kindFrom, quote, type Refusal } from '../wire/protocol.ts';
import {
  PUSHER_BODIES,
  PUSHER_FRAMES,
  type PusherBatch,
  type PusherFrame,
  type PusherTrigger,
} from './frames.ts';

const eventOf = kindFrom('event');

/** Any name is a published event, except for Pusher's reserved prefixes. */
function kindOf(frame: Readonly<Record<string, unknown>>): string | Refusal {
  const event = eventOf(frame);
  if (typeof event !== 'string' || (Object.hasOwn(PUSHER_FRAMES, event) && event !== 'channel_event'))
    return event;
  if (!/^pusher(_internal)?:/.test(event)) return 'channel_event';
  return { path: 'event', message: `is unknown: ${quote(event)}` };
}

const SOCKET_ID = /^\d+\.\d+$/;

/** The data is JSON within JSON, from which unmodified clients read both fields. */
function greetingIsComplete(frame: { readonly data: string }): Refusal | undefined {
  const json = readJson(frame.data, LIMITS.frame.value);
  const data = json.ok && isObject(json.value) ? json.value : {};
  const { socket_id: socketId } = data;
  if (typeof socketId !== 'string' || !SOCKET_ID.test(socketId)) {
    return { path: 'data.socket_id', message: 'must be digits, a dot and digits, inside the JSON string' };
  }
  if (typeof data['activity_timeout'] === 'number') return undefined;
  return { path: 'data.activity_timeout', message: 'must be a number of seconds, inside the JSON string' };
}

export const pusher = defineProtocol<PusherFrame>({
  noun: 'Pusher frame',
  maxChars: LIMITS.frame.value,
  refuseWith: 'invalid_message',
  schemas: PUSHER_FRAMES,
  checks: pusherChecks,
  kindOf,
  rules: { 'pusher:connection_established': greetingIsComplete },
});

const body = <Message>(kind: keyof typeof PUSHER_BODIES) =>
  defineProtocol<Message>({
    noun: `Pusher ${kind}`,
    maxChars: LIMITS.frame.value,
    refuseWith: 'invalid_request',
    schemas: { [kind]: PUSHER_BODIES[kind] },
    checks: pusherHttpChecks,
    kindOf: () => kind,
  });

export const pusherTrigger = body<PusherTrigger>('trigger');
export const pusherBatch = body<PusherBatch>('batch');
