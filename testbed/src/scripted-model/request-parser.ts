import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { isObject } from './json-object.ts';
import type { ModelRequest } from './model-request.ts';
import type { ProviderShape } from './provider-shape.ts';

/** Parses a request as the provider would, or returns the reason for a refusal. */
export async function parseModelRequest(
  message: IncomingMessage,
  shape: ProviderShape,
  ended: ModelRequest['ended'],
): Promise<ModelRequest | Error> {
  const { headers } = message;
  const source = await text(message).catch(() => undefined);
  if (source === undefined) return refusal(shape, 'the client left in the middle of its request');
  const body = parseJson(source);
  if (!isObject(body)) return refusal(shape, 'the body is not a JSON object');
  const { pathname, searchParams } = new URL(message.url ?? '/', 'http://127.0.0.1');
  const { model, stream = false } = shape.inPath?.(pathname) ?? body;
  if (typeof model !== 'string') return refusal(shape, "'model' must be a string");
  if (typeof stream !== 'boolean') return refusal(shape, "'stream' must be true or false");
  if (shape.inPath && stream && searchParams.get('alt') !== 'sse')
    return refusal(shape, 'only alt=sse is streamed here');
  const complaint = shape.complaint(body, headers);
  if (complaint !== undefined) return refusal(shape, complaint);
  return { provider: shape.provider, headers, apiKey: apiKeyOf(headers), model, stream, body, ended };
}

function refusal({ path }: ProviderShape, reason: string): Error {
  return new Error(`POST ${path}: ${reason}.`);
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  const key = headers['x-api-key'] ?? headers['x-goog-api-key'];
  return bearer ?? (typeof key === 'string' ? key : undefined);
}
