import type { RuntimeView } from '@drawbridge/bridge';
import { checkSchema } from '@drawbridge/manifest';
import { BridgeError } from '@drawbridge/protocol';
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Answer, toResult } from './answer/answer.ts';
import { errorAnswer } from './answer/error-answer.ts';
import { originOf } from './answer/fence.ts';
import { urlOf } from './answer/tab-lines.ts';
import { decisionIn, formOf } from './approval/elicitation.ts';
import { type Call, CallRun } from './call/call-run.ts';
import { progressTo } from './call/progress.ts';
import { canShowForms, clientOf } from './client-facts.ts';
import type { McpConnection } from './mcp-connection.ts';
import type { Fields, Tool } from './tools/tool.ts';

/** A call that may ask waits as long as a person may take. */
const ASKING_TIMEOUT_MS = 120_000;

/** One `tools/call`, or the next round of one that had to ask a person. */
export async function callTool(
  connection: McpConnection,
  server: Server,
  tool: Tool,
  args: Fields,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const request = JSON.stringify([tool.name, args]);
  const state = ctx.mcpReq.requestState<string>();
  const run =
    state === undefined
      ? startRun(connection, server, tool, args, ctx)
      : takeUp(connection, state, request, ctx);
  if (run === undefined) {
    const stale = new BridgeError(
      'state_mismatch',
      'Nothing waits for this answer any more: make the call again.',
    );
    return toResult(errorAnswer(stale, []), connection.answering);
  }
  const { signal } = ctx.mcpReq;
  const cancel = () => run.close();
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  run.onProgress = progressTo(ctx);
  const step = await run.next();
  run.onProgress = undefined;
  if (step.kind === 'done') {
    signal.removeEventListener('abort', cancel);
    return toResult(step.result, connection.answering);
  }
  const { question } = step;
  // A request of the current revision ends here; an older one stays open, and can still be cancelled.
  if (ctx.mcpReq.envelope !== undefined) signal.removeEventListener('abort', cancel);
  const by = `MCP client ${clientOf(server, ctx)?.name ?? ''}`.trim();
  connection.parked.park({
    run,
    request,
    answer: (responses) => question.answer(decisionIn(responses), by, 'The person said no.'),
  });
  return inputRequired({ inputRequests: formOf(question.question), requestState: run.id });
}

function takeUp(
  connection: McpConnection,
  state: string,
  request: string,
  ctx: ServerContext,
): CallRun<Answer> | undefined {
  const parked = connection.parked.take(state, request);
  parked?.answer(ctx.mcpReq.inputResponses);
  return parked?.run;
}

function startRun(
  connection: McpConnection,
  server: Server,
  tool: Tool,
  args: Fields,
  ctx: ServerContext,
): CallRun<Answer> {
  const { bridge, traces, approvals, asksElsewhere, now } = connection;
  const asks = approvals !== undefined && canShowForms(server, ctx);
  return new CallRun<Answer>({
    bridge,
    traces,
    now,
    ...(asks && { approvals }),
    work: async (call) => {
      const touched = new Map<string, RuntimeView>();
      const calling: Call = async (spec) => {
        const patience = (asks || asksElsewhere) && { timeout_ms: ASKING_TIMEOUT_MS };
        const called = await call({ ...patience, ...spec });
        if (called.view !== undefined) touched.set(called.view.runtime_id, called.view);
        return called;
      };
      return withEvents(await answerOf(connection, tool, args, calling), connection, touched);
    },
  });
}

async function answerOf(connection: McpConnection, tool: Tool, args: Fields, call: Call): Promise<Answer> {
  const { bridge, answering } = connection;
  const tabs = () => bridge.runtimes();
  try {
    const check = tool.isFromPage === true ? connection.checkArguments : checkSchema;
    const fit = await check(tool.input_schema, args);
    if (!fit.ok) {
      const where = fit.path === '' ? 'The arguments' : `\`${fit.path}\``;
      throw new BridgeError('invalid_input', `${where} ${fit.message}.`);
    }
    await connection.ready();
    const { outputs, maxTokens, nonce } = answering;
    return await tool.handle(args, { call, tabs, outputs, maxTokens, nonce, looks: connection.looks });
  } catch (error) {
    return errorAnswer(error, tabs());
  }
}

/** Adds unsolicited page events, as data of that page (BRG-105). */
function withEvents(
  answer: Answer,
  { events }: McpConnection,
  touched: ReadonlyMap<string, RuntimeView>,
): Answer {
  const told = [...touched.values()].flatMap((view) => {
    const text = events.take(view.runtime_id).join('\n');
    return text === '' ? [] : [{ origin: originOf(urlOf(view)), text }];
  });
  return told.length === 0 ? answer : { ...answer, pages: [...(answer.pages ?? []), ...told] };
}
