import { PageError } from '../locate/page-error.ts';

/**
 * Tools that a page registers for agents (https://github.com/webmachinelearning/webmcp). The browser stores
 * them, so they can be read and run from a world that the page cannot reach.
 */
export interface WebTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
  /** The origin of the page or frame that registered it. */
  readonly origin: string;
  /** Claims of the page. */
  readonly hints: readonly WebToolHint[];
  /** Prefix of the frame of another site in which it is. */
  readonly frame?: string;
}

export type WebToolHint = (typeof HINTS)[number];
const HINTS = ['readOnlyHint', 'consequentialHint', 'untrustedContentHint'] as const;

/** A permitted call, with the tool as it was then. */
export interface WebToolCall {
  readonly tool: WebTool;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The page's tools have changed. */
export interface WebToolsNotice {
  readonly type: 'webtools';
}

export type WebTools = ReturnType<typeof createWebTools>;

interface RegisteredTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly origin?: string;
  readonly annotations?: object;
}

export interface ModelContext extends EventTarget {
  getTools(): Promise<readonly RegisteredTool[]>;
  executeTool(tool: RegisteredTool, input: object): Promise<unknown>;
  registerTool(tool: object, options?: { readonly signal: AbortSignal }): unknown;
}

/** Limits on number and length, because the page writes them. */
const MAX_TOOLS = 64;
const MAX_DESCRIPTION_CHARS = 500;
const MAX_SCHEMA_CHARS = 8_000;
/** Debounce: a burst of registrations is reported once, and an endless one once a second. */
const CALM_MS = 50;
const APART_MS = 1_000;
/** In the page's own world, the answer may come from the page, or never. */
const ANSWER_MS = 1_000;

/** `isOurs`: tools that we registered are excluded. */
export function createWebTools(document: Document, onChange: () => void, isOurs: (name: string) => boolean) {
  const context = contextOf(document);
  let telling: ReturnType<typeof setTimeout> | undefined;
  let toldAt = -Infinity;
  const onToolChange = () => {
    const wait = Math.max(CALM_MS, toldAt + APART_MS - performance.now());
    telling ??= setTimeout(() => {
      telling = undefined;
      toldAt = performance.now();
      onChange();
    }, wait);
  };
  context?.addEventListener('toolchange', onToolChange);
  const registered = async () => {
    const tools = context === undefined ? [] : await Promise.race([context.getTools(), nothingIn(ANSWER_MS)]);
    return tools.filter(({ name }) => !isOurs(name));
  };
  const described = (tool: RegisteredTool) => describedAt(tool, document.defaultView?.origin ?? 'null');
  return {
    list: async (): Promise<readonly WebTool[]> =>
      (await registered()).slice(0, MAX_TOOLS).flatMap((tool) => described(tool) ?? []),
    async call({ tool: { frame: _, ...known }, arguments: args }: WebToolCall): Promise<unknown> {
      const tool = (await registered()).find(
        (each) => each.name === known.name && described(each)?.origin === known.origin,
      );
      if (context === undefined || tool === undefined) throw changed(known.name, 'has no such tool any more');
      // The permission was for this tool, not for one that took its name since.
      if (JSON.stringify(described(tool)) !== JSON.stringify(known))
        throw changed(known.name, 'has changed it');
      return plain(await context.executeTool(tool, args));
    },
    close(): void {
      clearTimeout(telling);
      context?.removeEventListener('toolchange', onToolChange);
    },
  };
}

const nothingIn = (ms: number): Promise<readonly RegisteredTool[]> =>
  new Promise((resolve) => setTimeout(() => resolve([]), ms));

function changed(name: string, what: string): PageError {
  const message = `The tool was not run: the page ${what}. Ask which tools there are, then call again.`;
  return new PageError('state_mismatch', message, { reason: 'changed_tool', tool: name });
}

/** Undefined for a tool whose schema is too long. */
function describedAt(tool: RegisteredTool, here: string): WebTool | undefined {
  const { name, description = '', inputSchema, origin = here, annotations = {} } = tool;
  const schema = plain(inputSchema);
  const isSchema = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  if (isSchema && JSON.stringify(schema).length > MAX_SCHEMA_CHARS) return undefined;
  return {
    name: String(name),
    description: String(description).slice(0, MAX_DESCRIPTION_CHARS),
    input_schema: isSchema ? { ...schema } : { type: 'object' },
    origin: String(origin),
    hints: HINTS.filter((hint) => Reflect.get(Object(annotations), hint) === true),
  };
}

/** Some versions return JSON as text. */
function plain(value: unknown): unknown {
  if (typeof value !== 'string') return value === undefined ? null : structuredClone(value);
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/**
 * Chromium 156 ends the renderer of a popup whose initial about:blank and its successor both read
 * `modelContext` (`RFHI_WEBMCP_DUPLICATE_BIND`). A document without a history entry is such a one, or has an
 * opaque origin.
 */
export function contextOf(document: Document): ModelContext | undefined {
  if (Reflect.get(document.defaultView ?? {}, 'navigation')?.currentEntry === null) return undefined;
  const context: unknown = Reflect.get(document, 'modelContext');
  return isModelContext(context) ? context : undefined;
}

function isModelContext(value: unknown): value is ModelContext {
  return (
    value instanceof EventTarget &&
    ['getTools', 'executeTool', 'registerTool'].every(
      (name) => typeof Reflect.get(value, name) === 'function',
    )
  );
}
