import { Type } from 'typebox';
import { defineRoutes, reference, shape } from './route.ts';

const SIGNATURE = {
  auth_key: { description: 'The key of the app.', required: true },
  auth_timestamp: { description: 'Seconds since 1970, within 600 s of now.', required: true },
  auth_version: {
    ...{ description: 'The version of the signature.', required: true },
    schema: Type.Unsafe<string>({ const: '1.0' }),
  },
  body_md5: { description: 'The hex MD5 of the body.', required: true },
} as const;

const PUBLISHING = {
  tag: 'pusher',
  access: 'signed',
  params: { appId: 'The app.' },
  query: SIGNATURE,
  reply: shape<object>(),
  done: 'The event was delivered.',
  refuses: ['invalid_request', 'unauthorized', 'file_too_large'],
} as const;

const ASKING = {
  tag: 'pusher',
  access: 'signed',
  query: SIGNATURE,
  reply: shape<object>(),
  refuses: ['invalid_request', 'unauthorized'],
} as const;

const appId = 'The app.';
const channel = 'The channel.';

/** Contract of Pusher Channels, for programs with the secret of the app. */
export const PUSHER_EVENTS = defineRoutes({
  'POST /apps/{appId}/events': {
    ...PUBLISHING,
    ...{ operation: 'triggerEvent', body: reference('PusherTrigger') },
    summary: 'Publish one event on one or more channels.',
  },
  'POST /apps/{appId}/batch_events': {
    ...PUBLISHING,
    ...{ operation: 'triggerBatch', body: reference('PusherBatch') },
    summary: 'Publish several events in one call.',
  },
  'GET /apps/{appId}/channels': {
    ...ASKING,
    ...{ operation: 'listChannels', params: { appId } },
    summary: 'The channels that have subscribers.',
    query: {
      filter_by_prefix: { description: 'Only channels whose names start with this.' },
      info: { description: '`user_count` or `subscription_count`.' },
      ...SIGNATURE,
    },
  },
  'GET /apps/{appId}/channels/{channel}': {
    ...ASKING,
    ...{ operation: 'getChannel', params: { appId, channel } },
    summary: 'Whether the channel has subscribers.',
    query: { info: { description: '`user_count` or `subscription_count`.' }, ...SIGNATURE },
  },
  'GET /apps/{appId}/channels/{channel}/users': {
    ...ASKING,
    ...{ operation: 'listChannelUsers', params: { appId, channel } },
    summary: 'The members of a presence channel.',
  },
  'POST /apps/{appId}/users/{user}/terminate_connections': {
    ...ASKING,
    ...{ operation: 'endUser', params: { appId, user: 'The user.' } },
    summary: 'End every connection of a user.',
  },
});

/** Clients of Pusher Channels that are devices of this relay. */
export const PUSHER_AUTH = defineRoutes({
  'GET /api/pusher/config': {
    ...{ operation: 'pusherConfig', tag: 'pusher', access: 'listener' },
    summary: 'The settings that a Pusher library needs to connect; for owners, also the secret of the app.',
    reply: shape<object>(),
    done: 'The settings.',
  },
  'POST /api/pusher/auth': {
    ...{ operation: 'authorizeChannel', tag: 'pusher', access: 'listener', bytes: 4_096 },
    summary: 'Get the signature that joins a private or presence channel.',
    form: {
      type: 'application/x-www-form-urlencoded',
      schema: Type.Object({ socket_id: Type.String(), channel_name: Type.String() }),
    },
    reply: Type.Object({
      auth: Type.String({ description: '`key:` and a hex HMAC-SHA256.' }),
      channel_data: Type.Optional(Type.String({ description: 'JSON in a string; presence channels only.' })),
      shared_secret: Type.Optional(Type.String({ description: 'Encrypted channels only.' })),
    }),
    done: 'The data for `pusher:subscribe`.',
    refuses: ['invalid_request', 'forbidden', 'rate_limited'],
  },
});
