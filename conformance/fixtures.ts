import { createHttpServing } from '@drawbridge/mcp';
import {
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { PIXEL } from './fixture-media.ts';
import { FIXTURE_PROMPTS } from './fixture-prompts.ts';
import { isAnswered, PROMPT_INPUT, ROUND_TOOLS, ROUNDS } from './fixture-rounds.ts';
import { FIXTURE_TOOLS } from './fixture-tools.ts';
import { type HttpServer, serveHttp } from './http-server.ts';

/** Everything that the suite requests by name, on our transport and sessions. */
export async function startFixtures(): Promise<HttpServer> {
  const http = createHttpServing(() => createFixtureServer(() => http.notify));
  const server = await serveHttp(http.fetch);
  return {
    url: `${server.url}/mcp`,
    async close() {
      await http.close();
      await server.close();
    },
  };
}

const TOOLS = { ...FIXTURE_TOOLS, ...ROUND_TOOLS };

function createFixtureServer(notifier: () => ServerNotifier): Server {
  const server = new Server(
    { name: 'fixtures', version: '1.0.0' },
    {
      capabilities: {
        ...{ tools: { listChanged: true }, resources: { subscribe: true }, prompts: { listChanged: true } },
        ...{ logging: {}, completions: {} },
      },
      requestState: { verify: ROUNDS.verify },
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(TOOLS).map(([name, { description, schema }]) => ({
      name,
      description,
      inputSchema: schema ?? { type: 'object' },
    })),
  }));
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const change = CHANGES[params.name];
    if (change === undefined) return named(TOOLS, params.name).run(params.arguments ?? {}, ctx, server);
    change(notifier());
    return { content: [{ type: 'text', text: 'Changed.' }] };
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(FIXTURE_PROMPTS).map(([name, { asks }]) => ({
      name,
      description: 'A prompt for testing.',
      ...(asks && { arguments: asks }),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) => {
    if (
      params.name === 'test_input_required_result_prompt' &&
      !isAnswered(PROMPT_INPUT, mcpReq.inputResponses)
    )
      return inputRequired({ inputRequests: PROMPT_INPUT });
    return { messages: [...named(FIXTURE_PROMPTS, params.name).messages(params.arguments ?? {})] };
  });
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

/** Tools that only send a notification. */
const CHANGES: Readonly<Record<string, (notify: ServerNotifier) => void>> = {
  test_trigger_tool_change: (notify) => notify.toolsChanged(),
  test_trigger_prompt_change: (notify) => notify.promptsChanged(),
};

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
