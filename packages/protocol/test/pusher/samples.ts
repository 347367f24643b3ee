import type { PUSHER_BODIES, PUSHER_FRAMES } from '../../src/pusher/frames.ts';
import type { SamplesOf } from '../wire/samples-of.ts';

/** One valid message of each kind, with every field it may carry. */

const channel = 'private-session-59adf5f0';
const room = 'presence-room';

export const PUSHER_SAMPLES: SamplesOf<typeof PUSHER_FRAMES> = {
  'pusher:connection_established': {
    event: 'pusher:connection_established',
    data: '{"socket_id":"123.456","activity_timeout":120}',
  },
  'pusher:error': { event: 'pusher:error', data: { code: 4301, message: 'client events come too fast' } },
  'pusher:ping': { event: 'pusher:ping', data: {} },
  'pusher:pong': { event: 'pusher:pong', data: {} },
  'pusher:subscribe': {
    event: 'pusher:subscribe',
    data: { channel: room, auth: 'key:abc123', channel_data: '{"user_id":"1"}' },
  },
  'pusher:unsubscribe': { event: 'pusher:unsubscribe', data: { channel } },
  'pusher:signin': { event: 'pusher:signin', data: { auth: 'key:abc123', user_data: '{"id":"1"}' } },
  'pusher:signin_success': { event: 'pusher:signin_success', data: { user_data: '{"id":"1"}' } },
  'pusher:cache_miss': { event: 'pusher:cache_miss', channel: 'cache-prices', data: '{}' },
  'pusher:subscription_error': {
    event: 'pusher:subscription_error',
    channel,
    data: { type: 'AuthError', error: 'refused', status: 401 },
  },
  'pusher_internal:subscription_succeeded': {
    event: 'pusher_internal:subscription_succeeded',
    channel,
    data: '{}',
  },
  'pusher_internal:member_added': {
    event: 'pusher_internal:member_added',
    channel: room,
    data: '{"user_id":"1"}',
  },
  'pusher_internal:member_removed': {
    event: 'pusher_internal:member_removed',
    channel: room,
    data: '{"user_id":"1"}',
  },
  'pusher_internal:subscription_count': {
    event: 'pusher_internal:subscription_count',
    channel,
    data: '{"subscription_count":2}',
  },
  channel_event: { event: 'client-typing', channel: room, data: '{"typing":true}', user_id: '1' },
};

export const PUSHER_HTTP_SAMPLES: SamplesOf<typeof PUSHER_BODIES> = {
  trigger: {
    name: 'new_message',
    data: '{"type":"new_message"}',
    channels: [channel],
    socket_id: '123.456',
    info: 'subscription_count',
  },
  batch: { batch: [{ name: 'new_message', channel, data: '{}', socket_id: '123.456' }] },
};
