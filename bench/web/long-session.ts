import { setImmediate } from 'node:timers/promises';
import type { TestProxy, WebHarness } from '@drawbridge/web/test/web-harness';

const COMMIT_EVENTS = 500;

/** A typical mix: mostly tool calls and short lines, sometimes markdown with code. */
export function messageAt(at: number): Readonly<Record<string, unknown>> {
  const message_id = `m${at}`;
  const common = {
    message_id,
    role: 'assistant',
    created_at: new Date(1_763_200_000_000 + at).toISOString(),
  };
  if (at % 10 === 0)
    return {
      ...common,
      content: `Step **${at}** is done:\n\n- \`src/part-${at}.ts\` was changed\n- the tests pass\n\n\`\`\`ts\nconst at = ${at};\n\`\`\``,
    };
  if (at % 10 < 4) return { ...common, content: `Line ${at} of what the agent said, with some words in it.` };
  const details = {
    kind: 'tool_call',
    tool_call_id: `t${at}`,
    title: `npm test -- src/part-${at}`,
    tool_kind: 'execute',
    status: 'completed',
    output: `${at} passed`,
  };
  return { ...common, content: `npm test ${at}`, metadata: { details } };
}

/** Writes to the ledger directly: the relay's speed is another benchmark. */
export async function seed(
  { relay }: WebHarness,
  session_id: string,
  events: number,
  first = 0,
): Promise<void> {
  // Events appended to a session that the relay does not know yet are lost.
  while ((await relay.ledger.session(session_id)) === undefined) await setImmediate();
  for (let from = first; from < first + events; from += COMMIT_EVENTS) {
    await relay.ledger.commit(
      Array.from({ length: Math.min(COMMIT_EVENTS, first + events - from) }, (_, n) => ({
        do: 'append_event' as const,
        session_id,
        event_id: `evt_${from + n}`,
        type: 'message_event',
        payload: { message: JSON.parse(JSON.stringify(messageAt(from + n))) },
        at: 1_763_200_000_000 + from + n,
        message_id: `m${from + n}`,
      })),
    );
  }
}

const TICK_MS = 20;

/** Sends this many events a second, evenly, starting at `first`; `stop` returns their number. */
export function stream(
  proxy: TestProxy,
  session_id: string,
  { first, perSecond }: { readonly first: number; readonly perSecond: number },
): { readonly stop: () => number } {
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1_000) * perSecond);
    for (; sent < due; sent += 1) {
      proxy.send({ type: 'proxy_message', session_id, message: messageAt(first + sent) });
    }
  }, TICK_MS);
  return {
    stop() {
      clearInterval(timer);
      return sent;
    },
  };
}

/** Text of the last of `count` messages. */
export function lastLine(count: number): string {
  const at = count - 1;
  if (at % 10 === 0) return `const at = ${at};`;
  return at % 10 < 4 ? `Line ${at} of` : `src/part-${at}`;
}
