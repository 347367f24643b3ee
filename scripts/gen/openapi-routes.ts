import { HTTP_ERRORS, type Parameter, type Route, type RouteTable } from '@drawbridge/protocol/http';
import { type JsonObject, toJsonSchema } from './json-schema.ts';
import { answer, body, pathParameter, refusals } from './openapi-parts.ts';
import { plain } from './schema-node.ts';

const BINARY: JsonObject = { type: 'string', format: 'binary' };
const TEXT: JsonObject = { type: 'string' };

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
  const { operation: operationId, tag, summary, description, access, upload, refuses = [] } = route;
  const given = (place: string, named: Readonly<Record<string, Parameter>> = {}): readonly JsonObject[] =>
    Object.entries(named).map(([name, { description: of, required = false, schema: source }]) => ({
      ...{ name, in: place, required, description: of, schema: schema(source) },
    }));
  const parameters = [
    ...Object.entries(route.params ?? {}).map(([name, of]) => pathParameter(name, of)),
    ...given('query', route.query),
    ...given('header', route.headers),
  ];
  const statuses = [...(access === 'anybody' ? [] : [401, 403]), ...refuses.map((code) => HTTP_ERRORS[code])];
  return {
    ...{ operationId, tags: [tag], summary },
    ...(description !== undefined && { description }),
    ...(access === 'anybody' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: body(schema(route.body)) }),
    ...(upload && { requestBody: { required: true, content: content('application/octet-stream') } }),
    responses: { ...done(route), ...refusals(...new Set(statuses)) },
  };
}

function done({ status, reply, stream }: Route): JsonObject {
  if (stream) return { [status ?? 200]: { description: stream.description, content: content(stream.type) } };
  if (status === 307) return { 307: { description: "To the task's own address." } };
  return {
    [status ?? (reply ? 200 : 204)]: reply ? answer('Done.', schema(reply)) : { description: 'Done.' },
  };
}

const schema = (source: Route['reply']): JsonObject =>
  source === undefined ? TEXT : toJsonSchema(plain(source), { dialect: '2020-12', shapes: [] });

const content = (type: string): JsonObject => ({
  [type]: { schema: type === 'text/event-stream' ? TEXT : BINARY },
});
