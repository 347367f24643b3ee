import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type InteractRequest, interactRequest } from '@drawbridge/protocol';
import { listenOnLoopback } from '@drawbridge/testbed';
import { onTestFinished } from 'vitest';
import { example } from './contract-examples.ts';

export const TOKEN = 'token-of-this-device';

export interface Came {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Status and body; `hang` never answers. */
export type Answer =
  | { readonly status?: number; readonly body: unknown }
  | 'hang'
  | ((came: Came) => { readonly status?: number; readonly body: unknown });

export interface ScriptedServer {
  readonly url: string;
  readonly came: readonly Came[];
  /** The interact calls, validated against the contract. */
  readonly calls: () => InteractRequest[];
  readonly close: () => Promise<void>;
}

/** A server written from the contract alone: answers its lines in order, and 404 on every other path. */
export async function startScriptedServer(
  lines: readonly Answer[],
  paths: Readonly<Record<string, Answer>> = {},
): Promise<ScriptedServer> {
  const came: Came[] = [];
  const left = [...lines];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method = '', url: path = '', headers } = request;
    const call: Came = { method, path, headers, text };
    came.push(call);
    const isInteract = path === '/api/agent/interact';
    const answer = paths[`${method} ${path}`] ?? (isInteract ? (left.shift() ?? FINISH) : NOT_FOUND);
    if (answer === 'hang') return;
    const { status = 200, body } = typeof answer === 'function' ? answer(call) : answer;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const port = await listenOnLoopback(server);
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${port}`,
    came,
    calls: () =>
      came
        .filter(({ path }) => path === '/api/agent/interact')
        .map(({ text }) => interactRequest.parse(text)),
    close,
  };
}

const NOT_FOUND: Answer = { status: 404, body: { error: 'Not found' } };
export const FINISH: Answer = {
  body: { success: true, data: { thought: 'Done.', action: 'finish()', status: 'completed' } },
};

export const EXAMPLE_ANSWER = example('interact-response/next_step');
export const EXAMPLE_ASK = example('interact-response/needs_context');
