import { type Static, Type } from 'typebox';
import { Label } from '../wire/fields.ts';
import { LIMITS } from '../wire/limits.ts';

/** Pusher Channels protocol 7. Servers send `data` as a JSON string, clients as an object. */

const Channel = Type.String({
  pattern: '^(#server-to-user-)?[A-Za-z0-9_\\-=@,.;]+$',
  maxLength: LIMITS.pusher_channel.value,
  description: `a channel name of 1 to ${LIMITS.pusher_channel.value} letters, digits and _ - = @ , . ;`,
});

const Encoded = Type.String();
const Empty = Type.Optional(Type.Unknown());

const frame = <Name extends string, Fields extends Record<string, Type.TSchema>>(
  name: Name,
  fields: Fields,
) => Type.Object({ event: Type.Literal(name), ...fields });

export const PUSHER_FRAMES = {
  'pusher:connection_established': frame('pusher:connection_established', { data: Encoded }),
  'pusher:error': frame('pusher:error', { data: Type.Unknown() }),
  'pusher:ping': frame('pusher:ping', { data: Empty }),
  'pusher:pong': frame('pusher:pong', { data: Empty }),
  'pusher:subscribe': frame('pusher:subscribe', {
    data: Type.Object({
      channel: Channel,
      /** Some libraries send null for a channel that needs none. */
      auth: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      channel_data: Type.Optional(Type.Union([Encoded, Type.Null()])),
    }),
  }),
  'pusher:unsubscribe': frame('pusher:unsubscribe', { data: Type.Object({ channel: Channel }) }),
  'pusher:signin': frame('pusher:signin', { data: Type.Object({ auth: Type.String(), user_data: Encoded }) }),
  'pusher:signin_success': frame('pusher:signin_success', { data: Type.Unknown() }),
  'pusher:cache_miss': frame('pusher:cache_miss', { channel: Channel, data: Empty }),
  'pusher:subscription_error': frame('pusher:subscription_error', { channel: Channel, data: Type.Unknown() }),
  'pusher_internal:subscription_succeeded': frame('pusher_internal:subscription_succeeded', {
    channel: Channel,
    data: Encoded,
  }),
  'pusher_internal:member_added': frame('pusher_internal:member_added', { channel: Channel, data: Encoded }),
  'pusher_internal:member_removed': frame('pusher_internal:member_removed', {
    channel: Channel,
    data: Encoded,
  }),
  'pusher_internal:subscription_count': frame('pusher_internal:subscription_count', {
    channel: Channel,
    data: Encoded,
  }),
  /** Every other event, published on a channel. */
  channel_event: Type.Object({
    event: Type.String({ minLength: 1, maxLength: LIMITS.pusher_channel.value }),
    channel: Channel,
    data: Type.Unknown(),
    user_id: Type.Optional(Label),
  }),
} as const;

const EventName = Type.String({ minLength: 1, maxLength: LIMITS.pusher_channel.value });

/** Request bodies of the HTTP API. */
export const PUSHER_BODIES = {
  trigger: Type.Object({
    name: EventName,
    data: Encoded,
    channels: Type.Array(Channel, { minItems: 1, maxItems: LIMITS.pusher_channels.value }),
    socket_id: Type.Optional(Type.String()),
    info: Type.Optional(Type.String()),
  }),
  batch: Type.Object({
    batch: Type.Array(
      Type.Object({
        name: EventName,
        channel: Channel,
        data: Encoded,
        socket_id: Type.Optional(Type.String()),
      }),
      { maxItems: LIMITS.pusher_batch.value },
    ),
  }),
} as const;

/** Reactions of a Pusher client to a close code: see docs/spec/interact.md. */
export const PUSHER_CLOSE_CODES = {
  4000: 'only TLS connections are allowed',
  4001: 'there is no such app',
  4003: 'the app is disabled',
  4004: 'the app is over its quota',
  4005: 'there is no such path',
  4006: 'the protocol version is malformed',
  4007: 'the protocol version is not supported',
  4008: 'no protocol version was given',
  4009: 'the connection is not authorised',
  4100: 'over capacity; come back in a second',
  4200: 'come back at once',
  4201: 'no pong came in time; come back at once',
  4202: 'closed after inactivity; come back at once',
  4301: 'client events come too fast',
  4302: 'the watchlist is too long',
} as const;

export type PusherFrame = Static<(typeof PUSHER_FRAMES)[keyof typeof PUSHER_FRAMES]>;
export type PusherTrigger = Static<typeof PUSHER_BODIES.trigger>;
export type PusherBatch = Static<typeof PUSHER_BODIES.batch>;
