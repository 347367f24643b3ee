import { isObject, readJson } from '@drawbridge/protocol/manifest';
import type { HonoRequest } from 'hono';
import { DeviceError } from './device-error.ts';

export type Body = Readonly<Record<string, unknown>>;

const BODY_CHARS = 16_384;

/** The raw text: the caller is identified after it has arrived and before it is parsed. */
export async function bodyText(request: HonoRequest): Promise<string> {
  // A form of another site can send any text, but not as JSON without a CORS preflight.
  if (!/^application\/json\s*(;|$)/i.test(request.header('content-type') ?? '')) {
    throw new DeviceError('unsupported_media_type', 'Send JSON, with Content-Type: application/json.');
  }
  return request.text();
}

export function parseBody(text: string): Body {
  const read = readJson(text, BODY_CHARS);
  if (!read.ok) throw new DeviceError('invalid_request', `The body ${read.problem.message}.`);
  if (!isObject(read.value)) throw new DeviceError('invalid_request', 'The body is no JSON object.');
  return read.value;
}

export function textOf(body: Body, name: string): string {
  const value = body[name];
  if (typeof value !== 'string')
    throw new DeviceError('invalid_request', `"${name}" is missing: give a text.`);
  return value;
}
