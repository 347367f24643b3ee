import type { JsonObject } from './json-schema.ts';
import { reference } from './json-schema.ts';
import { answer, body, failures, pathParameter, queryParameter } from './openapi-parts.ts';

const SIDE = pathParameter(
  'side',
  'Role of the peer that polls: a runtime, or an agent that calls runtimes.',
  {
    enum: ['runtime', 'agent'],
  },
);

const CONNECTION = 'The connection, as the first POST named it; valid only with the same credential.';

/** The bridge for peers that cannot keep a WebSocket open. */
export const BRIDGE_PATHS: JsonObject = {
  '/bridge/{side}/items': {
    parameters: [SIDE],
    post: {
      operationId: 'sendBridgeItem',
      tags: ['bridge'],
      summary: 'Send an item.',
      parameters: [queryParameter('connection_id', `${CONNECTION} Absent in the first POST.`)],
      requestBody: body(reference('BridgeItem')),
      responses: {
        200: answer('The item was accepted.', {
          type: 'object',
          required: ['connection_id'],
          properties: { connection_id: { type: 'string' } },
        }),
        ...failures(400, 401, 403, 413),
      },
    },
    get: {
      operationId: 'receiveBridgeItems',
      tags: ['bridge'],
      summary: 'Get the items after a number.',
      description:
        'Each item is a `BridgeItem` and has a number. Asking again with the same `after` gives the same items.',
      parameters: [
        queryParameter('connection_id', CONNECTION, { required: true }),
        queryParameter('after', "The last item's number; absent, from the first one on.", {
          schema: { type: 'integer', minimum: 0 },
        }),
      ],
      responses: {
        200: { description: 'The items in order.', content: { 'application/json': {} } },
        ...failures(400, 401, 403),
      },
    },
  },
};
