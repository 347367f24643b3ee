import { CATALOG } from '@drawbridge/protocol/catalog';
import {
  ACCOUNTS,
  HEALTH,
  INTERACT,
  PUSHER_EVENTS,
  ROUTE_SCHEMAS,
  ROUTES,
  TAB_SESSIONS,
} from '@drawbridge/protocol/http';
import type { TSchema } from 'typebox';
import type { GeneratedFile } from './file.ts';
import type { Inputs } from './inputs.ts';
import {
  type Components,
  componentSchemas,
  type JsonObject,
  objectShapes,
  toJsonSchema,
} from './json-schema.ts';
import { BRIDGE_PATHS } from './openapi-paths.ts';
import { routePaths } from './openapi-routes.ts';
import { RELAY } from './relay.ts';
import { plain } from './schema-node.ts';
import { shapesOf } from './shapes.ts';

export const generateOpenApi = (inputs: Inputs): GeneratedFile => ({
  path: 'docs/reference/openapi.json',
  text: `${JSON.stringify(openApiDocument(inputs), null, 2)}\n`,
});

/** Every HTTP endpoint; a test of the relay compares them with its routes. */
export const openApiDocument = ({ version }: Pick<Inputs, 'version'>): JsonObject => ({
  openapi: '3.1.0',
  info: {
    title: RELAY.title,
    version,
    description: `The HTTP endpoints of the relay. ${RELAY.status}`,
    license: RELAY.license,
  },
  servers: [{ url: `http://${RELAY.host}`, description: 'Where the relay listens by default.' }],
  security: [{ bearer: [] }],
  tags: [
    { name: 'interact', description: 'The next action for a page, and the sessions it belongs to.' },
    { name: 'tasks', description: 'Browser tasks and their progress.' },
    { name: 'devices', description: 'Devices and pairing.' },
    { name: 'sessions', description: 'Conversations and their files.' },
    { name: 'runtimes', description: 'Lent tabs, their grants, and the model that decides.' },
    { name: 'notices', description: 'Notifications by push and webhook.' },
    { name: 'relay', description: 'Settings of the relay, and the audit log.' },
    { name: 'bridge', description: 'Calls to live pages, by polling.' },
    { name: 'pusher', description: 'Pusher Channels, for unmodified libraries.' },
    { name: 'health', description: 'Health and metrics, for operators.' },
  ],
  paths: {
    ...routePaths({ ...ROUTES, ...INTERACT, ...TAB_SESSIONS, ...ACCOUNTS }),
    ...BRIDGE_PATHS,
    ...routePaths({ ...PUSHER_EVENTS, ...HEALTH }),
  },
  components: { schemas: schemas(), securitySchemes: SECURITY_SCHEMES },
});

const SECURITY_SCHEMES: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', description: "A device's token." },
  pusherSignature: {
    type: 'apiKey',
    in: 'query',
    name: 'auth_signature',
    description:
      'The hex HMAC-SHA256, with the secret of the app, of method, path and the sorted, unencoded query, joined by line breaks.',
  },
};

/** Errors outside contract 4. */
const API_ERROR: JsonObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string', description: 'The failure, and what to do next.' },
        field: {
          type: 'string',
          description: 'The field of the body that caused the failure, if one did.',
        },
      },
    },
  },
};

function schemas(): JsonObject {
  const components: Components = {
    dialect: '2020-12',
    shapes: [...objectShapes(shapesOf('bridge')), ...objectShapes(shapesOf('interact'))],
  };
  const schema = (source: TSchema): JsonObject => toJsonSchema(plain(source), components);
  const { next_step, needs_context, needs_user_input, error } = CATALOG['interact-response'];
  const { session_found, session_messages, session_rename } = CATALOG.session;
  return {
    BridgeItem: { anyOf: Object.values(CATALOG.bridge).map(schema) },
    ErrorResponse: schema(error),
    InteractRequest: schema(CATALOG['interact-request'].interact_request),
    InteractResponse: { anyOf: [next_step, needs_context, needs_user_input].map(schema) },
    PusherBatch: schema(CATALOG['pusher-http'].batch),
    PusherTrigger: schema(CATALOG['pusher-http'].trigger),
    SessionFound: schema(session_found),
    SessionMessages: schema(session_messages),
    SessionRename: schema(session_rename),
    ApiError: API_ERROR,
    ...Object.fromEntries(Object.entries(ROUTE_SCHEMAS).map(([name, source]) => [name, schema(source)])),
    ...componentSchemas(components),
  };
}
