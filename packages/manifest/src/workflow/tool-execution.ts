import { BridgeError } from '@drawbridge/protocol';
import type { Tool } from '@drawbridge/protocol/manifest';
import { lowerExecutionSteps } from './lowered-steps.ts';
import type { Plan } from './run.ts';

/** Code that the runtime loaded and approved. A map can only name it. */
export type Handler = (input: unknown, signal: AbortSignal) => Promise<unknown>;

/** A Map, so that `toString` and `constructor` name nothing unless registered. */
export type HandlerRegistry = ReadonlyMap<string, Handler>;

export type ToolExecution =
  | { readonly kind: 'workflow'; readonly plan: Plan }
  | { readonly kind: 'handler'; readonly name: string; readonly handler: Handler };

/** How a call of this tool runs here, or why it cannot. */
export function executionOf(tool: Tool, handlers: HandlerRegistry): ToolExecution {
  if (tool.workflow !== undefined) return { kind: 'workflow', plan: tool.workflow };
  const { handler: name, execution } = tool.x_actions ?? {};
  const hasSteps = (execution?.steps ?? []).length > 0;
  if (!hasSteps) return name === undefined ? notExecutable(tool) : registered(name, handlers);
  switch (execution?.mode ?? 'steps_first') {
    case 'steps_first':
      return { kind: 'workflow', plan: lowerExecutionSteps(tool) };
    case 'handler_first':
      if (name !== undefined && handlers.has(name)) return registered(name, handlers);
      return { kind: 'workflow', plan: lowerExecutionSteps(tool) };
    case 'documentary':
    case 'test_only':
      return name === undefined ? notExecutable(tool) : registered(name, handlers);
    default:
      return notExecutable(tool);
  }
}

function registered(name: string, handlers: HandlerRegistry): ToolExecution {
  const handler = handlers.get(name);
  if (handler !== undefined) return { kind: 'handler', name, handler };
  const message = `No handler "${name}" is registered with this runtime. Use another tool, or register it there.`;
  throw new BridgeError('missing_handler', message, { evidence: { handler: name } });
}

function notExecutable({ name, x_actions }: Tool): never {
  const mode = x_actions?.execution?.mode;
  const why = mode === undefined ? 'it has nothing to execute' : `its steps are "${mode}"`;
  throw new BridgeError(
    'capability_unavailable',
    `${name} cannot be run here: ${why}, and it has no handler.`,
    {
      evidence: { tool: name, ...(mode !== undefined && { mode }) },
    },
  );
}
