import { contextOf, type WebTool } from './web-tools.ts';

/** A tool that we offer. */
export type OfferedTool = Pick<WebTool, 'name' | 'description' | 'input_schema'>;

/** The page's own agent calls a tool that we offered. */
export interface OfferedCallNotice {
  readonly type: 'webtool_call';
  readonly call_id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface OfferedAnswer {
  readonly call_id: string;
  readonly output?: unknown;
  /** The reason of a refusal, for the caller. */
  readonly error?: string;
}

/** A map's tools, offered to the page's own agent. */
export type OfferedTools = ReturnType<typeof createOfferedTools>;

/** Limits a page that calls without end. */
const MAX_PENDING = 8;

export function createOfferedTools(document: Document, tell: (notice: OfferedCallNotice) => void) {
  const context = contextOf(document);
  /** Every name that we have offered in this document. */
  const ours = new Set<string>();
  let offered = '[]';
  const pending = new Map<string, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let stop = new AbortController();
  let made = 0;

  const execute = (name: string, input: unknown): Promise<unknown> => {
    if (pending.size >= MAX_PENDING) return Promise.reject(new Error(`${name}: too many calls at once.`));
    const call_id = `website-${++made}`;
    const args = typeof input === 'object' && input !== null ? structuredClone(input) : {};
    return new Promise((resolve, reject) => {
      pending.set(call_id, { resolve, reject });
      tell({ type: 'webtool_call', call_id, name, arguments: { ...args } });
    });
  };
  const register = async ({ name, description, input_schema: inputSchema }: OfferedTool) => {
    const { signal } = stop;
    const tool = { name, description, inputSchema, execute: (input: unknown) => execute(name, input) };
    ours.add(name);
    try {
      await context?.registerTool(tool, { signal });
    } catch {
      // The page already has a tool of that name, which stays.
      ours.delete(name);
    }
  };

  return {
    has: (name: string): boolean => ours.has(name),
    /** Replaces the offered tools. */
    async offer(tools: readonly OfferedTool[]): Promise<void> {
      const next = JSON.stringify(tools);
      // Withdrawn tools stay listed for a moment, so unchanged ones are left alone.
      if (next === offered || context === undefined) return;
      offered = next;
      stop.abort();
      stop = new AbortController();
      for (const tool of tools) await register(tool);
    },
    answer({ call_id, output, error }: OfferedAnswer): void {
      const call = pending.get(call_id);
      pending.delete(call_id);
      if (error === undefined) call?.resolve(output ?? null);
      else call?.reject(new Error(error));
    },
    close(): void {
      stop.abort();
      for (const { reject } of pending.values()) reject(new Error('The tool was withdrawn.'));
      pending.clear();
    },
  };
}
