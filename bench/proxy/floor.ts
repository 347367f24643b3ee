import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { connectCdp } from '../page/cdp.ts';
import { startEcho } from '../relay/relay-bench.ts';

/**
 * Cost of the bare transports, one round trip each: a socket with JSON, a pipe, and a panel driven by raw
 * CDP.
 */
export interface Floor {
  readonly socket: readonly number[];
  readonly pipe: readonly number[];
}

const ECHO = "process.stdin.on('data', (line) => process.stdout.write(line))";
const LINE = JSON.stringify({
  type: 'send_message',
  content: 'clock; say 1',
  client_message_id: 'x'.repeat(36),
});

export async function measureFloor(rounds: number): Promise<Floor> {
  const echo = await startEcho();
  const child = spawn(process.execPath, ['-e', ECHO], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { url } = await echo.call('place', undefined);
  const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false });
  await once(socket, 'open');
  try {
    return {
      socket: await timed(rounds, async () => {
        const back = once(socket, 'message');
        socket.send(LINE);
        JSON.parse(String((await back)[0]));
      }),
      pipe: await timed(rounds, async () => {
        const back = once(child.stdout, 'data');
        child.stdin.write(`${LINE}\n`);
        JSON.parse(String((await back)[0]));
      }),
    };
  } finally {
    socket.close();
    child.kill();
    await echo.end();
  }
}

/** The shortest way to send in a panel: one call types and one presses, with known selectors. */
export async function measureRawPanel(
  endpoint: string,
  part: string,
  rounds: number,
): Promise<readonly number[]> {
  const targets = trustTargets(await (await fetch(`${endpoint}/json/list`)).json());
  const target = targets.find(({ url }) => url.includes(part));
  if (target === undefined) throw new Error(`No page of ${part} is open.`);
  const cdp = await connectCdp(target.webSocketDebuggerUrl);
  const run = (expression: string) => cdp.send('Runtime.evaluate', { expression });
  const inside = "document.querySelector('#active-frame').contentDocument";
  try {
    return await timed(rounds, async () => {
      await run(
        `{ const input = ${inside}.querySelector('[role=textbox]'); input.focus(); ${inside}.execCommand('insertText', false, 'say raw') }`,
      );
      await run(`${inside}.querySelector('button[type=submit]').click()`);
    });
  } finally {
    cdp.close();
  }
}

async function timed(rounds: number, work: () => Promise<void>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = -10; round < rounds; round += 1) {
    const began = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - began);
  }
  return times;
}

/** The format that Chromium writes. */
function trustTargets(
  value: unknown,
): readonly { readonly url: string; readonly webSocketDebuggerUrl: string }[] {
  return value as readonly { readonly url: string; readonly webSocketDebuggerUrl: string }[];
}
