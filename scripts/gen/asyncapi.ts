import type { Peer } from '@drawbridge/protocol/catalog';
import { CHANNELS, type Channel } from './asyncapi-channels.ts';
import type { GeneratedFile } from './file.ts';
import type { Inputs } from './inputs.ts';
import {
  type Components,
  componentSchemas,
  type Json,
  type JsonObject,
  objectShapes,
  toJsonSchema,
} from './json-schema.ts';
import { type Message, messagesOf } from './messages.ts';
import { RELAY } from './relay.ts';
import { type Family, shapesOf } from './shapes.ts';

export const generateAsyncApi = (inputs: Inputs): GeneratedFile => ({
  path: 'docs/reference/asyncapi.json',
  text: `${JSON.stringify(asyncApiDocument(inputs), null, 2)}\n`,
});

const FAMILIES: readonly Family[] = ['bridge', 'chat', 'tasks'];

/** The relay's WebSockets, described from its side: it receives what peers send. */
export function asyncApiDocument({ version, examples }: Inputs): JsonObject {
  const components: Components = {
    dialect: 'draft-07',
    shapes: FAMILIES.flatMap((family) => objectShapes(shapesOf(family))),
  };
  const protocols = [...new Set(CHANNELS.map(({ protocol }) => protocol))];
  const messages = protocols.flatMap(messagesOf);
  return {
    asyncapi: '3.0.0',
    info: {
      title: RELAY.title,
      version,
      description: `The WebSockets of the relay. ${RELAY.status}`,
      license: { name: RELAY.license.name },
    },
    defaultContentType: 'application/json',
    servers: {
      local: { host: RELAY.host, protocol: 'ws', description: 'Where the relay listens by default.' },
    },
    channels: Object.fromEntries(CHANNELS.map((channel) => [channel.id, channelObject(channel)])),
    operations: Object.fromEntries(CHANNELS.flatMap(operationsOf)),
    components: {
      messages: Object.fromEntries(
        messages.map((message) => [
          messageId(message),
          messageObject(message, components, examples.get(`${message.protocol}/${message.kind}`)),
        ]),
      ),
      schemas: componentSchemas(components),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const SECURITY_SCHEMES: JsonObject = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token in the `Authorization` header of the upgrade.',
  },
  subprotocol: {
    type: 'httpApiKey',
    in: 'header',
    name: 'Sec-WebSocket-Protocol',
    description:
      'Where headers cannot be set: `drawbridge` and `bearer.<token>` in the list of subprotocols.',
  },
};

/**
 * Component keys allow letters, digits, dots, dashes and underscores, so `pusher:ping` becomes `pusher.ping`.
 */
const idOf = ({ kind }: Message): string => kind.replaceAll(':', '.');

const messageId = (message: Message): string => `${message.protocol}.${idOf(message)}`;

function messageObject(message: Message, components: Components, example: unknown): JsonObject {
  const { kind, purpose, feature, node } = message;
  const note = feature === undefined ? '' : ` Needs the feature \`${feature}\`.`;
  return {
    name: kind,
    title: kind,
    summary: `${purpose}${note}`,
    payload: toJsonSchema(node, components),
    ...(example === undefined ? {} : { examples: [{ payload: asJson(example) }] }),
  };
}

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));

const channelObject = ({ address, description, protocol, peers, more = {} }: Channel): JsonObject => ({
  address,
  description,
  messages: Object.fromEntries(
    messagesOf(protocol)
      .filter((message) => Object.values(peers).some((names) => isBetween(message, names)))
      .map((message) => [idOf(message), { $ref: `#/components/messages/${messageId(message)}` }]),
  ),
  ...more,
});

const isBetween = (message: Message, peers: readonly Peer[]): boolean =>
  arrivesFrom(message, peers) || leavesFor(message, peers);

const arrivesFrom = ({ route }: Message, peers: readonly Peer[]): boolean =>
  route.some(([from, to]) => to === 'relay' && peers.includes(from));

const leavesFor = ({ route }: Message, peers: readonly Peer[]): boolean =>
  route.some(([from, to]) => from === 'relay' && peers.includes(to));

function operationsOf(channel: Channel): readonly (readonly [string, JsonObject])[] {
  const messages = messagesOf(channel.protocol);
  return Object.entries(channel.peers).flatMap<readonly [string, JsonObject]>(([word, peers]) => {
    const arriving = messages.filter((message) => arrivesFrom(message, peers));
    const leaving = messages.filter((message) => leavesFor(message, peers));
    return [
      [`${channel.id}ReceiveFrom${word}`, operation(channel, 'receive', arriving)],
      [`${channel.id}SendTo${word}`, operation(channel, 'send', leaving)],
    ];
  });
}

const operation = (
  { id, bearer }: Channel,
  action: 'receive' | 'send',
  messages: readonly Message[],
): JsonObject => ({
  action,
  channel: { $ref: `#/channels/${id}` },
  messages: messages.map((message) => ({ $ref: `#/channels/${id}/messages/${idOf(message)}` })),
  ...(bearer ? { security: SECURITY } : {}),
});

const SECURITY: Json = Object.keys(SECURITY_SCHEMES).map((name) => ({
  $ref: `#/components/securitySchemes/${name}`,
}));
