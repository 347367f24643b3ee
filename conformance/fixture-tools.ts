import type {
  CallToolResult,
  ElicitRequestFormParams,
  InputRequiredResult,
  Server,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import { PIXEL, SILENCE } from './fixture-media.ts';

/** A tool of the suite, as its scenarios describe it. */
export interface FixtureTool {
  readonly description: string;
  readonly schema?: Tool['inputSchema'];
  readonly run: (
    args: Readonly<Record<string, unknown>>,
    ctx: ServerContext,
    server: Server,
  ) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;
}

type Content = CallToolResult['content'][number];

const IMAGE: Content = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const answer = (...content: Content[]): CallToolResult => ({ content });
const text = (words: string): CallToolResult => answer({ type: 'text', text: words });
const resource = (uri: string, mimeType: string, words: string): Content => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});

/** Without it, the question waits for a separate stream, which a client may open at any time. */
const related = ({ mcpReq }: ServerContext) => ({ relatedRequestId: mcpReq.id });

const asks =
  (properties: ElicitRequestFormParams['requestedSchema']['properties']): FixtureTool['run'] =>
  async ({ message = 'Please answer' }, ctx) => {
    const requestedSchema = { type: 'object' as const, properties, required: Object.keys(properties) };
    const { action, content } = await ctx.mcpReq.elicitInput(
      { message: String(message), requestedSchema },
      related(ctx),
    );
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
  };

const titled = (...titles: string[]) => titles.map((title, index) => ({ const: `value${index + 1}`, title }));
const OPTIONS = ['option1', 'option2', 'option3'];

export const FIXTURE_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: {
    description: 'Text.',
    run: () => text('This is a simple text response for testing.'),
  },
  test_image_content: { description: 'A picture.', run: () => answer(IMAGE) },
  test_audio_content: {
    description: 'A sound.',
    run: () => answer({ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }),
  },
  test_embedded_resource: {
    description: 'A resource.',
    run: () =>
      answer(resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
  },
  test_multiple_content_types: {
    description: 'All kinds.',
    run: () =>
      answer(
        { type: 'text', text: 'Multiple content types test:' },
        IMAGE,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ),
  },
  test_error_handling: {
    description: 'Fails.',
    run: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_tool_with_logging: {
    description: 'Logs.',
    async run(_args, { mcpReq }) {
      for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
        await mcpReq.log('info', words);
      return text('Logged.');
    },
  },
  test_tool_with_progress: {
    description: 'Reports progress.',
    async run(_args, { mcpReq }) {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        const params = { progressToken, progress, total: 100 };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return text('Done.');
    },
  },
  test_sampling: {
    description: "Asks the client's model.",
    schema: { type: 'object', properties: { prompt: { type: 'string' } } },
    async run({ prompt }, ctx) {
      const said = { role: 'user' as const, content: { type: 'text' as const, text: String(prompt) } };
      const { content } = await ctx.mcpReq.requestSampling(
        { messages: [said], maxTokens: 100 },
        related(ctx),
      );
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  },
  test_elicitation: {
    description: 'Asks the person.',
    schema: { type: 'object', properties: { message: { type: 'string' } } },
    run: asks({
      username: { type: 'string', description: "User's response" },
      email: { type: 'string', description: "User's email address" },
    }),
  },
  test_elicitation_sep1034_defaults: {
    description: 'Asks with defaults.',
    run: asks({
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  },
  test_elicitation_sep1330_enums: {
    description: 'Asks with choices.',
    run: asks({
      untitledSingle: { type: 'string', enum: OPTIONS },
      titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
      titledMulti: {
        type: 'array',
        items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') },
      },
    }),
  },
  test_reconnection: {
    description: 'Loses its connection before it answers.',
    async run(_args, { mcpReq }, { transport }) {
      // `ctx.http.closeSSE` is missing: the suite sends 2025-03-26 in this one request.
      await mcpReq.log('info', 'The connection is lost now.');
      if (
        transport !== undefined &&
        'closeSSEStream' in transport &&
        typeof transport.closeSSEStream === 'function'
      )
        transport.closeSSEStream(mcpReq.id);
      return text('Answered after the connection was lost.');
    },
  },
  json_schema_2020_12_tool: {
    description: 'Tool with JSON Schema 2020-12 features',
    schema: {
      ...{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
      $defs: {
        address: {
          ...{ $anchor: 'addressDef', type: 'object' },
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: () => text('Called.'),
  },
};
