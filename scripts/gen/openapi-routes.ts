import {
  HTTP_ERRORS,
  INTERACT_ERRORS,
  type Parameter,
  type Route,
  type RouteTable,
} from '@drawbridge/protocol/http';
import { type JsonObject, toJsonSchema } from './json-schema.ts';
import { answer, body, failures, pathParameter, refusals } from './openapi-parts.ts';
import { plain } from './schema-node.ts';

const BINARY: JsonObject = { type: 'string', format: 'binary' };
const TEXT: JsonObject = { type: 'string' };
const STATUSES = { ...HTTP_ERRORS, ...INTERACT_ERRORS };
/** Without the credential of a device. */
const STRANGERS: ReadonlySet<string> = new Set(['anybody', 'signed']);

/** The paths of a route table. */
export function routePaths(routes: RouteTable): Readonly<Record<string, JsonObject>> {
  const paths: Record<string, JsonObject> = {};
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', path = ''] = name.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(route) };
  }
  return paths;
}

function operation(route: Route): JsonObject {
  const { operation: operationId, tag, summary, description, access, upload, form, refuses = [] } = route;
  const given = (place: string, named: Readonly<Record<string, Parameter>> = {}): readonly JsonObject[] =>
    Object.entries(named).map(([name, { description: of, required = false, schema: source }]) => ({
      ...{ name, in: place, required, description: of, schema: schema(source) },
    }));
  const parameters = [
    ...Object.entries(route.params ?? {}).map(([name, of]) => pathParameter(name, of)),
    ...given('query', route.query),
    ...given('header', route.headers),
  ];
  const statuses = [...(STRANGERS.has(access) ? [] : [401, 403]), ...refuses.map((code) => STATUSES[code])];
  return {
    ...{ operationId, tags: [tag], summary },
    ...(description !== undefined && { description }),
    ...(access === 'anybody' && { security: [] }),
    ...(access === 'signed' && { security: [{ pusherSignature: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: body(schema(route.body)) }),
    ...(form && {
      requestBody: { required: true, content: { [form.type]: { schema: schema(form.schema) } } },
    }),
    ...(upload && { requestBody: { required: true, content: content('application/octet-stream') } }),
    responses: {
      ...done(route),
      ...(access === 'interact' ? failures : refusals)(...new Set(statuses)),
      ...others(route),
    },
  };
}

const others = ({ others: given = {} }: Route): JsonObject =>
  Object.fromEntries(
    Object.entries(given).map(([status, { description, reply }]) => [
      status,
      answer(description, schema(reply)),
    ]),
  );

function done({ status, reply, stream, done: said = 'Done.' }: Route): JsonObject {
  if (stream) return { [status ?? 200]: { description: stream.description, content: content(stream.type) } };
  if (status === 307) return { 307: { description: "To the task's own address." } };
  return {
    [status ?? (reply ? 200 : 204)]: reply ? answer(said, schema(reply)) : { description: said },
  };
}

const schema = (source: Route['reply']): JsonObject =>
  source === undefined ? TEXT : toJsonSchema(plain(source), { dialect: '2020-12', shapes: [] });

const content = (type: string): JsonObject => ({
  [type]: { schema: type.startsWith('text/') ? TEXT : BINARY },
});
