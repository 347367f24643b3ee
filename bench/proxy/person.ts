import { setTimeout } from 'node:timers/promises';
import { type ChatLink, connectChat } from '@drawbridge/link/chat';
import type { Child } from '../relay/child.ts';
import type { ProxyCalls } from './proxy-program.ts';

/** Times of one send at each hop. */
export interface RoundTrip {
  readonly accepted: number;
  readonly got: number;
  readonly taken: number;
  readonly reported: number;
  readonly ticked: number;
  /** From the agent's first output to the person's screen. */
  readonly shown: number;
}

/** Milliseconds of the monotonic clock, which all processes of a machine share. A page has only wall time. */
export const exactNow = (): number => Number(process.hrtime.bigint()) / 1e6;
const sameClock = (at: number): number => (at > 1e12 ? Date.now() : exactNow());

/**
 * Parses `at 5123.4` of an agent and `at second 1794795265.503` of a panel to milliseconds; 0 for anything
 * else.
 */
function momentIn(said: string): number {
  const [, seconds, milliseconds] = /^at (?:second (\d+\.\d{3})|(\d+(?:\.\d+)?))/.exec(said) ?? [];
  return seconds === undefined ? Number(milliseconds ?? 0) : Number(seconds) * 1_000;
}

export function connectPerson(url: string, token: string): ChatLink {
  return connectChat({
    url: `${url.replace('http', 'ws')}/ws/chat`,
    token,
    peer_role: 'browser',
    client_name: 'bench',
  });
}

/** Sends messages that make the agent report the time, one after the other. */
export async function timeSends(
  person: ChatLink,
  proxy: Child<ProxyCalls>,
  session_id: string,
  sends: number,
  takenAt: (text: string) => number | undefined,
): Promise<readonly RoundTrip[]> {
  const journeys: RoundTrip[] = [];
  let [lastAt, lost] = [0, 0];
  for (let n = -WARM_UP; n < sends; n += 1) {
    const content = `clock; say ${n}`;
    const began = exactNow();
    const message = person.sendMessage({ session_id, content });
    const { client_message_id } = message;
    const times: { accepted: number; ticked: number; shown?: number } = { accepted: 0, ticked: 0 };
    const over = Promise.withResolvers<void>();
    const offs = [
      person.onEvent((event) => {
        if (!('session_id' in event) || event.session_id !== session_id) return;
        if (event.type === 'message_delivered' && event.client_message_id === client_message_id)
          times.ticked = exactNow();
        if (event.type === 'message_event') {
          const { role, content: said } = event.message;
          const at = role === 'assistant' ? momentIn(said) : 0;
          // Skips a repetition of the previous reply.
          if (at > lastAt + 50 && times.shown === undefined) {
            times.shown = sameClock(at) - at;
            lastAt = at;
          }
        }
        if (times.ticked > 0 && times.shown !== undefined) over.resolve();
      }),
    ];
    void message.outcome.then((outcome) => {
      if (outcome.status === 'failed') over.reject(new Error(`${content}: ${outcome.error?.message}`));
    });
    await message.accepted;
    times.accepted = exactNow();
    const isOver = await Promise.race([
      over.promise.then(() => true),
      setTimeout(PATIENCE_MS, false, { ref: false }),
    ]);
    for (const off of offs) off();
    if (!isOver) {
      lost += 1;
      console.error(`  ${content}: not told of in ${PATIENCE_MS / 1_000} s, and left out`);
      if (lost > MOST_LOST) throw new Error(`more than ${MOST_LOST} sends were not told of`);
      continue;
    }
    await idle(person, session_id);
    const { got, reported } = await proxy.call('times', client_message_id);
    const taken = takenAt(content);
    if (n < 0 || taken === undefined) continue;
    journeys.push({
      accepted: times.accepted - began,
      got: got - began,
      taken: taken - began,
      reported: reported - began,
      ticked: times.ticked - began,
      shown: times.shown ?? Number.NaN,
    });
  }
  return journeys;
}

const WARM_UP = 5;
/** A busy machine may miss an agent's output. */
const PATIENCE_MS = 15_000;
const MOST_LOST = 5;

/** Waits for the idle status, or 400 ms in case it came before. */
async function idle(person: ChatLink, session_id: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const off = person.onEvent((event) => {
      if (event.type === 'session_status' && event.session_id === session_id) look(event.activity?.kind);
    });
    const timer = globalThis.setTimeout(() => look('idle'), 400);
    const look = (kind: string | undefined): void => {
      if (kind !== 'idle') return;
      off();
      clearTimeout(timer);
      resolve();
    };
  });
}
