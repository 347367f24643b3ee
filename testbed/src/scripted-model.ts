import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listenOnLoopback } from './loopback.ts';
import { answer } from './scripted-model/answer.ts';
import { anthropicMessages } from './scripted-model/anthropic-messages.ts';
import { Exchange } from './scripted-model/exchange.ts';
import { googleGenerateContent } from './scripted-model/google-generate-content.ts';
import { MODEL_LIST } from './scripted-model/model-list.ts';
import type { ModelRequest } from './scripted-model/model-request.ts';
import { openAiChat } from './scripted-model/openai-chat.ts';
import { openAiResponses } from './scripted-model/openai-responses.ts';
import type { ProviderShape } from './scripted-model/provider-shape.ts';
import { parseModelRequest } from './scripted-model/request-parser.ts';
import { replyTo, type Script } from './scripted-model/script.ts';

const SHAPES: readonly ProviderShape[] = [
  openAiChat,
  openAiResponses,
  anthropicMessages,
  googleGenerateContent,
];

/** A model provider on loopback that answers from the script, in the format of the request. */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  return new ScriptedModel(server, port, script);
}

export class ScriptedModel implements AsyncDisposable {
  /** Base URL for clients; ends in `/v1`. */
  readonly baseUrl: string;
  readonly #server: Server;
  readonly #script: Script;
  readonly #open = new Set<Exchange>();
  readonly #requests: ModelRequest[] = [];
  readonly #problems: Error[] = [];
  #closing: Promise<void> | undefined;

  constructor(server: Server, port: number, script: Script) {
    this.baseUrl = `http://127.0.0.1:${port}/v1`;
    this.#server = server;
    this.#script = script;
    server.on('request', (message, response) => void this.#serve(message, response));
  }

  /** Every request that reached the script, in order. */
  requests(): readonly ModelRequest[] {
    return [...this.#requests];
  }

  /** Requests beyond the script, unexpected ones, and ones that no provider would accept. */
  problems(): readonly Error[] {
    return [...this.#problems];
  }

  /** Throws on problems and unused replies. */
  verify(): void {
    this.#throwProblems();
    const left = typeof this.#script === 'function' ? 0 : this.#script.length - this.#requests.length;
    if (left > 0) throw new Error(`The model was not asked for the last ${left} of its scripted replies.`);
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  /** Closes, and throws on problems: `await using` fails the test that caused them. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    this.#throwProblems();
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = new Exchange(response);
    this.#open.add(exchange);
    void exchange.ended.then(() => this.#open.delete(exchange));
    const path = message.url?.split('?')[0] ?? '';
    const route = `${message.method} ${path}`;
    const shape = SHAPES.find(
      (each) => message.method === 'POST' && (each.path === path || each.inPath?.(path)),
    );
    if (shape !== undefined) return this.#complete(exchange, shape, message);
    if (route === 'GET /v1/models') return exchange.sendJson(200, MODEL_LIST);
    return this.#refuse(exchange, openAiChat, 404, new Error(`${route}: there is no such endpoint.`));
  }

  async #complete(exchange: Exchange, shape: ProviderShape, message: IncomingMessage): Promise<void> {
    const request = await parseModelRequest(message, shape, exchange.ended);
    if (request instanceof Error) return this.#refuse(exchange, shape, 400, request);
    const turn = this.#requests.push(request);
    const reply = replyTo(this.#script, request, turn);
    if (reply instanceof Error) return this.#refuse(exchange, shape, 500, reply);
    return answer(exchange, shape, request, reply, turn);
  }

  #refuse(exchange: Exchange, shape: ProviderShape, status: number, problem: Error): void {
    this.#problems.push(problem);
    exchange.sendJson(status, shape.error(status, problem.message));
  }

  #throwProblems(): void {
    const [first, ...more] = this.#problems;
    if (first === undefined) return;
    throw more.length === 0
      ? first
      : new AggregateError(this.#problems, `${first.message} (and ${more.length} more)`);
  }

  async #shutDown(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const exchange of this.#open) exchange.cut();
    this.#server.closeAllConnections();
    await closed;
  }
}
