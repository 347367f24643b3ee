import { createHttpServing } from '@drawbridge/mcp';
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import { PIXEL } from './fixture-media.ts';
import { FIXTURE_PROMPTS } from './fixture-prompts.ts';
import { FIXTURE_TOOLS } from './fixture-tools.ts';
import { type HttpServer, serveHttp } from './http-server.ts';

/** Everything that the suite requests by name, on our transport and sessions. */
export async function startFixtures(): Promise<HttpServer> {
  const http = createHttpServing(createFixtureServer);
  const server = await serveHttp(http.fetch);
  return {
    url: `${server.url}/mcp`,
    async close() {
      await http.close();
      await server.close();
    },
  };
}

function createFixtureServer(): Server {
  const server = new Server(
    { name: 'fixtures', version: '1.0.0' },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} },
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(FIXTURE_TOOLS).map(([name, { description, schema }]) => ({
      name,
      description,
      inputSchema: schema ?? { type: 'object' },
    })),
  }));
  server.setRequestHandler('tools/call', ({ params }, ctx) =>
    named(FIXTURE_TOOLS, params.name).run(params.arguments ?? {}, ctx, server),
  );
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(FIXTURE_PROMPTS).map(([name, { asks }]) => ({
      name,
      description: 'A prompt for testing.',
      ...(asks && { arguments: asks }),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => ({
    messages: [...named(FIXTURE_PROMPTS, params.name).messages(params.arguments ?? {})],
  }));
  server.setRequestHandler('completion/complete', ({ params }) => ({
    completion: { values: ['test', 'testing'].filter((value) => value.startsWith(params.argument.value)) },
  }));
  server.setRequestHandler('resources/list', () => ({
    resources: ['test://static-text', 'test://static-binary', 'test://watched-resource'].map((uri) => ({
      ...{ uri, name: uri },
      description: 'A resource for testing.',
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler('resources/read', ({ params }) => read(params.uri));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
}

function named<Value>(table: Readonly<Record<string, Value>>, name: string): Value {
  const found = table[name];
  if (found === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${name}.`);
  return found;
}

function read(uri: string): ReadResourceResult {
  const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? [];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  }
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] };
  if (uri !== 'test://static-text') throw new ResourceNotFoundError(uri);
  const text = 'This is the content of the static text resource.';
  return { contents: [{ uri, mimeType: 'text/plain', text }] };
}
