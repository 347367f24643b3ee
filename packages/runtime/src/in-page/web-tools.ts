/**
 * Tools that a page registers for agents (https://github.com/webmachinelearning/webmcp). The browser keeps
 * them, so they can be read and run from a world that the page cannot reach.
 */
export interface WebTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
}

export interface WebTools {
  readonly list: () => Promise<readonly WebTool[]>;
  readonly call: (name: string, args: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly close: () => void;
}

interface RegisteredTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

interface ModelContext extends EventTarget {
  getTools(): Promise<readonly RegisteredTool[]>;
  executeTool(tool: RegisteredTool, input: object): Promise<unknown>;
}

/** The page wrote them: as many and as long as we care to read. */
const MAX_TOOLS = 64;
const MAX_DESCRIPTION_CHARS = 500;

export function createWebTools(document: Document, onChange: () => void): WebTools {
  const context = contextOf(document);
  context?.addEventListener('toolchange', onChange);
  const registered = async () => (await context?.getTools()) ?? [];
  return {
    list: async () => (await registered()).slice(0, MAX_TOOLS).map(described),
    async call(name, args) {
      const tool = (await registered()).find((one) => one.name === name);
      if (context === undefined || tool === undefined)
        throw new Error(`The page has no tool ${name} any more.`);
      return plain(await context.executeTool(tool, args));
    },
    close: () => context?.removeEventListener('toolchange', onChange),
  };
}

function described({ name, description = '', inputSchema }: RegisteredTool): WebTool {
  const schema = plain(inputSchema);
  return {
    name: String(name),
    description: String(description).slice(0, MAX_DESCRIPTION_CHARS),
    input_schema:
      typeof schema === 'object' && schema !== null && !Array.isArray(schema)
        ? { ...schema }
        : { type: 'object' },
  };
}

/** Some versions hand JSON over as text. */
function plain(value: unknown): unknown {
  if (typeof value !== 'string') return value === undefined ? null : structuredClone(value);
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function contextOf(document: Document): ModelContext | undefined {
  const context: unknown = Reflect.get(document, 'modelContext');
  return isModelContext(context) ? context : undefined;
}

function isModelContext(value: unknown): value is ModelContext {
  return (
    value instanceof EventTarget &&
    typeof Reflect.get(value, 'getTools') === 'function' &&
    typeof Reflect.get(value, 'executeTool') === 'function'
  );
}
