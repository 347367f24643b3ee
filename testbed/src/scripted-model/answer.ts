import type { Exchange } from './exchange.ts';
import type { ModelRequest } from './model-request.ts';
import { type ProviderShape, type SseEvent, scriptedTextIn } from './provider-shape.ts';
import type { Reply, ReplyFault } from './script.ts';

/** Sends a reply in the provider's format, streamed if requested, with its hold and its fault. */
export async function answer(
  exchange: Exchange,
  shape: ProviderShape,
  request: ModelRequest,
  reply: Reply,
  turn: number,
): Promise<void> {
  const { hold, fault } = reply;
  if (hold && !(request.stream && hold.afterEvents)) await exchange.waitAt(hold.gate);
  if (fault?.kind === 'status') return refuse(exchange, shape, fault);
  const said = scriptedTextIn(reply, turn, request.model);
  if (request.stream) return stream(exchange, shape.events(said, request.body), reply);
  return sendWhole(exchange, JSON.stringify(shape.whole(said)), fault);
}

function refuse(
  exchange: Exchange,
  shape: ProviderShape,
  fault: Extract<ReplyFault, { kind: 'status' }>,
): void {
  const { status, message = `Scripted failure with status ${status}.`, retryAfterSeconds } = fault;
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': retryAfterSeconds };
  exchange.sendJson(status, shape.error(status, message), headers);
}

async function sendWhole(exchange: Exchange, json: string, fault: ReplyFault | undefined): Promise<void> {
  const text = fault === undefined ? json : firstHalf(json);
  const promised = fault?.kind === 'cut' ? json : text;
  exchange.start(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(promised) });
  await exchange.write(text);
  finish(exchange, fault);
}

async function stream(
  exchange: Exchange,
  events: readonly SseEvent[],
  { hold, fault }: Reply,
): Promise<void> {
  exchange.start(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const [index, event] of spoiled(events, fault).entries()) {
    await exchange.write(sseText(event));
    if (hold?.afterEvents === index + 1) await exchange.waitAt(hold.gate);
  }
  finish(exchange, fault);
}

function spoiled(events: readonly SseEvent[], fault: ReplyFault | undefined): readonly SseEvent[] {
  if (fault?.kind === 'cut') return events.slice(0, fault.afterEvents ?? 1);
  if (fault?.kind !== 'malformed') return events;
  return events
    .slice(0, 2)
    .map((event, index) => (index === 0 ? event : { ...event, data: firstHalf(event.data) }));
}

function finish(exchange: Exchange, fault: ReplyFault | undefined): void {
  if (fault?.kind === 'cut') exchange.cut();
  else exchange.end();
}

function firstHalf(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}

function sseText({ event, data }: SseEvent): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`;
}
