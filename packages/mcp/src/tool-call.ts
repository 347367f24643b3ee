import type { RuntimeView } from '@drawbridge/bridge';
import { type ActionProgress, BridgeError } from '@drawbridge/protocol';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Answer, toResult } from './answer/answer.ts';
import { errorAnswer } from './answer/error-answer.ts';
import { oneLine, originOf } from './answer/fence.ts';
import type { OpenQuestion } from './approval/approvals.ts';
import { decisionIn, formOf, refusalIn } from './approval/elicitation.ts';
import { callFailure } from './call-failure.ts';
import { currentView, NEW_TAB, TABS_ORIGIN, tabLines, urlOf } from './lent-tabs.ts';
import { textAt, valueAt } from './loose-value.ts';
import { type McpConnection, shortArguments } from './mcp-connection.ts';
import { argumentsOf, wrongArgument } from './tools/argument-names.ts';
import type { Called, CallSpec, Fields, Tool } from './tools/tool.ts';

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
      ? new CallRun(connection, tool, args, {
          canAsk: canShowForms(server, ctx),
          client: clientOf(server, ctx)?.name,
        })
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
  if (!('question' in step)) {
    signal.removeEventListener('abort', cancel);
    return toResult(step, connection.answering);
  }
  // A request of the current revision ends here; an older one stays open, and can still be cancelled.
  if (ctx.mcpReq.envelope !== undefined) signal.removeEventListener('abort', cancel);
  const by = `MCP client ${clientOf(server, ctx)?.name ?? ''}`.trim();
  connection.parked.park({
    run,
    request,
    answer: (responses) => step.answer(decisionIn(responses), by, refusalIn(responses)),
  });
  const requestState = await connection.runStates.mint(run.id);
  return inputRequired({ inputRequests: formOf(step.question), requestState });
}

function takeUp(
  connection: McpConnection,
  state: string,
  request: string,
  ctx: ServerContext,
): CallRun | undefined {
  const parked = connection.parked.take(state, request);
  parked?.answer(ctx.mcpReq.inputResponses);
  return parked?.run;
}

interface CallingClient {
  /** The client can ask its person. */
  readonly canAsk: boolean;
  /** Name of its program. */
  readonly client?: string | undefined;
}

/**
 * One MCP tool call with its bridge calls. Outlives its first request: when a person must be asked, that
 * request is answered with the question, and a later request continues the run.
 */
export class CallRun {
  readonly id = crypto.randomUUID();
  /** Progress listener of the current request. */
  onProgress: ((progress: ActionProgress) => void) | undefined;
  readonly #connection: McpConnection;
  /** The client can ask its person. */
  readonly #asks: boolean;
  readonly #client: string | undefined;
  readonly #abort = new AbortController();
  readonly #touched = new Map<string, RuntimeView>();
  readonly #steps: (Answer | OpenQuestion)[] = [];
  #wake = () => {};

  constructor(connection: McpConnection, tool: Tool, args: Fields, { canAsk, client }: CallingClient) {
    this.#connection = connection;
    this.#client = client;
    this.#asks = canAsk && connection.approvals !== undefined;
    void this.#run(tool, args);
  }

  /** Resolves with the answer, or with the next question to a person. */
  async next(): Promise<Answer | OpenQuestion> {
    let step = this.#steps.shift();
    for (; step === undefined; step = this.#steps.shift()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return step;
  }

  /** Cancels running calls at the runtime; idempotent. */
  close(reason = 'The client cancelled the call.'): void {
    this.#abort.abort(reason);
  }

  #add(step: Answer | OpenQuestion): void {
    this.#steps.push(step);
    this.#wake();
  }

  async #run(tool: Tool, given: Fields): Promise<void> {
    const { bridge, answering, checkArguments, ready, events, looks } = this.#connection;
    let answer: Answer;
    try {
      const args = tool.isFromPage === true ? given : argumentsOf(tool, given);
      if (tool.isFromPage === true) {
        const fit = await checkArguments(tool.input_schema, args);
        if (!fit.ok) throw wrongArgument(fit.path, fit.message);
      }
      await ready();
      const { outputs, maxTokens, nonce } = answering;
      const { signal } = this.#abort;
      const tools = { call: this.#call, tabs: bridge.runtimes, outputs, maxTokens, nonce, looks, signal };
      answer = await tool.handle(args, tools);
    } catch (error) {
      answer = errorAnswer(error, bridge.runtimes());
    }
    const pages = [...(answer.pages ?? [])];
    const opened = this.#connection.newTabs(bridge.runtimes());
    // These two name new tabs themselves.
    const isNews =
      opened.length > 0 && tool.name !== 'tabs' && !pages.some(({ origin }) => origin === TABS_ORIGIN);
    if (isNews) pages.push({ origin: TABS_ORIGIN, text: tabLines(opened) });
    const next = isNews ? { next: [NEW_TAB, answer.next ?? ''].join(' ').trim() } : {};
    // Unsolicited page events, as data of that page (BRG-105).
    for (const [runtimeId, view] of this.#touched) {
      const text = events.take(runtimeId).join('\n');
      if (text !== '') pages.push({ origin: originOf(urlOf(view)), text });
    }
    this.#add({ ...answer, ...next, pages, messages: bridge.takeMessages?.(this.#client) ?? [] });
  }

  #call = async ({ name, arguments: args, route, timeout_ms }: CallSpec): Promise<Called> => {
    const { bridge, traces, approvals, asksElsewhere, now } = this.#connection;
    const { signal } = this.#abort;
    const call_id = crypto.randomUUID();
    const began = now();
    const asks = this.#asks ? approvals : undefined;
    const patience = asks !== undefined || asksElsewhere ? ASKING_TIMEOUT_MS : undefined;
    const timeout = timeout_ms ?? patience;
    let outcome = 'ok';
    const stopListening = asks?.listen(call_id, (question) => this.#add(question));
    const pending = bridge.call(
      {
        ...{ call_id, name, arguments: { ...args }, ...route.selectors },
        ...(timeout !== undefined && { timeout_ms: timeout }),
        ...(this.#client && { client: oneLine(this.#client) }),
      },
      { onProgress: (progress) => this.onProgress?.(progress) },
    );
    const cancel = () => pending.cancel(String(signal.reason));
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    try {
      const output = await pending.output;
      const view = currentView(route, bridge.runtimes());
      if (view !== undefined) this.#touched.set(view.runtime_id, view);
      return { output, view };
    } catch (error) {
      const failure = callFailure(error, currentView(route, bridge.runtimes()));
      outcome = signal.aborted ? 'cancelled' : failure.error.code;
      throw failure;
    } finally {
      signal.removeEventListener('abort', cancel);
      stopListening?.();
      traces.add({
        at: new Date(began).toISOString(),
        name,
        ...(route.view && { runtime_id: route.view.runtime_id }),
        ms: now() - began,
        outcome,
        arguments: shortArguments(name, args),
      });
    }
  };
}

/** Forwards progress to a client that asked for it. MCP requires increasing numbers. */
function progressTo(ctx: ServerContext): ((progress: ActionProgress) => void) | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = 0;
  return ({ progress, total, message, step }) => {
    const words = [step, message].filter((part) => part !== undefined).join(': ');
    last = progress !== undefined && progress > last ? progress : last + 1;
    void ctx.mcpReq
      .notify({
        method: 'notifications/progress',
        params: {
          progressToken,
          progress: last,
          ...(total !== undefined && { total }),
          ...(words !== '' && { message: oneLine(words) }),
        },
      })
      // The client is gone; the call itself is notified.
      .catch(() => {});
  };
}

/** The client: sent with each request in the current revision, once in the older one. */
export function clientOf(server: Server, ctx: ServerContext): Implementation | undefined {
  const told = valueAt(ctx.mcpReq.envelope, CLIENT_INFO_META_KEY);
  const name = textAt(told, 'name');
  if (name === undefined) return server.getClientVersion();
  return { name, version: textAt(told, 'version') ?? '' };
}

/** An empty `elicitation` means forms, as before modes existed. */
function canShowForms(server: Server, ctx: ServerContext): boolean {
  const capabilities =
    valueAt(ctx.mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities();
  const elicitation = valueAt(capabilities, 'elicitation');
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || !('url' in elicitation);
}
