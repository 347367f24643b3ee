import type { TSchema } from 'typebox';
import { type FieldNotes, type Hop, type NotesOf, note } from '../wire/note.ts';
import { type PUSHER_BODIES, PUSHER_FRAMES } from './frames.ts';

const toClient: readonly Hop[] = [['relay', 'client']];
const toRelay: readonly Hop[] = [['client', 'relay']];
const bothWays: readonly Hop[] = [...toRelay, ...toClient];

export const PUSHER_NOTES: NotesOf<typeof PUSHER_FRAMES> = {
  'pusher:connection_established': note(toClient, "The first frame on a socket, with the connection's id."),
  'pusher:error': note(toClient, 'An error; the connection stays open.'),
  'pusher:ping': note(bothWays, 'Asks whether the other side is still there.'),
  'pusher:pong': note(bothWays, 'Answers a `pusher:ping`.'),
  'pusher:subscribe': note(toRelay, 'Joins a channel.'),
  'pusher:unsubscribe': note(toRelay, 'Leaves a channel.'),
  'pusher:signin': note(toRelay, 'Signs a user in on this connection.'),
  'pusher:signin_success': note(toClient, 'The user is signed in.'),
  'pusher:cache_miss': note(toClient, 'The cache channel that was joined has no last event.'),
  'pusher:subscription_error': note(toClient, 'The channel was refused; the connection stays open.'),
  'pusher_internal:subscription_succeeded': note(toClient, 'The channel was joined.'),
  'pusher_internal:member_added': note(toClient, 'Somebody joined the presence channel.'),
  'pusher_internal:member_removed': note(
    toClient,
    'Somebody left the presence channel with their last connection.',
  ),
  'pusher_internal:subscription_count': note(toClient, "The channel's number of connections."),
  channel_event: note(bothWays, 'Any other event, published on a channel.'),
};

const publish: readonly Hop[] = [['app server', 'relay']];

export const PUSHER_HTTP_NOTES: NotesOf<typeof PUSHER_BODIES> = {
  trigger: note(publish, 'Publishes one event on one or more channels.'),
  batch: note(publish, 'Publishes several events in one call.'),
};

export const PUSHER_SHAPES = {
  'channel name': PUSHER_FRAMES['pusher:unsubscribe'].properties.data.properties.channel,
} as const satisfies Record<string, TSchema>;

export const PUSHER_FIELD_NOTES: FieldNotes = {
  'pusher:connection_established.data':
    'JSON in a string: `socket_id` (digits, a dot, digits) and `activity_timeout` in seconds',
  'pusher:error.data': '`code` and `message`',
  'pusher:ping.data': 'absent or an empty object',
  'pusher:pong.data': 'absent or an empty object',
  'data.auth':
    '`key:` and the hex HMAC-SHA256 of `socket_id:channel`, or of `socket_id:channel:channel_data`; public channels need none',
  'pusher:signin.data.auth': '`key:` and the hex HMAC-SHA256 of `socket_id::user::user_data`',
  'data.channel_data': 'JSON in a string; presence channels only',
  'data.user_data': 'JSON in a string, with the `id` of the user',
  'pusher:signin_success.data': 'the `user_data` that was sent',
  'pusher:subscription_error.data': '`type` (`"AuthError"`), `error` and `status` (401)',
  'pusher_internal:subscription_succeeded.data': 'JSON in a string: `{}`, or the members as `presence`',
  'pusher_internal:member_added.data': 'JSON in a string: `user_id` and `user_info`',
  'pusher_internal:member_removed.data': 'JSON in a string: `user_id`',
  'pusher_internal:subscription_count.data': 'JSON in a string: `subscription_count`',
  'channel_event.event': 'a client may send only names that begin with `client-`',
  'channel_event.data': 'a string from the relay, any value from a client',
  'channel_event.user_id': 'the sender of a `client-` event on a presence channel',
  'trigger.socket_id': 'the connection that does not get the event',
  'trigger.data': 'the payload, encoded as a string',
  'trigger.info': 'attributes of the channels to answer with',
};
