import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import * as acp from '@agentclientprotocol/sdk';
import { childEnvironment } from '@drawbridge/protocol';
import { refusal } from '../adapter.ts';
import { type AgentRegister, endGroup } from '../orphans.ts';
import type { AcpProfile } from './profiles.ts';

/** Requests and notifications of an agent. */
export interface AgentEars {
  readonly onUpdate: (note: acp.SessionNotification) => void;
  readonly onPermission: (
    request: acp.RequestPermissionRequest,
    signal: AbortSignal,
  ) => Promise<acp.RequestPermissionResponse>;
  readonly onElicitation: (
    request: acp.CreateElicitationRequest,
    signal: AbortSignal,
  ) => Promise<acp.CreateElicitationResponse>;
}

/** A running agent after its handshake. */
export interface AgentProcess {
  readonly pid: number;
  readonly agent: acp.ClientContext;
  readonly introduction: acp.InitializeResponse;
  /** Resolves with the exit reason and the last standard error output. */
  readonly ended: Promise<string>;
  /** Idempotent. Resolves when the process is gone. */
  readonly close: () => Promise<void>;
}

interface StartOptions {
  readonly register?: AgentRegister | undefined;
  /** Resolves when its output may be read. */
  readonly mayRead?: (() => Promise<void>) | undefined;
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

const POLITE_MS = 2_000;
const LAST_WORDS = 600;
const LAST_WORDS_MS = 200;
const { methods } = acp;

/** Starts it without a shell, and performs the handshake. */
export async function startAgent(
  profile: AcpProfile,
  ears: AgentEars,
  { cwd, signal, register, mayRead }: StartOptions,
): Promise<AgentProcess> {
  const [program, ...args] = profile.command;
  const child = spawn(program, args, {
    cwd,
    env: { ...childEnvironment(process.env, profile.inherits), ...profile.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    detached: process.platform !== 'win32',
  });
  const ended = endOf(child);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await started(child, profile);
  const { pid = 0 } = child;
  void register?.began(pid);
  void ended.then(() => register?.ended(pid));
  child.stdin.on('error', () => {});
  const connection = acp
    .client({ name: 'drawbridge' })
    .onNotification(methods.client.session.update, ({ params }) => {
      // Read late, or written by a child of it: nobody would end such a call.
      if (!isOver || !('toolCallId' in params.update)) ears.onUpdate(params);
    })
    .onRequest(methods.client.session.requestPermission, ({ params, signal: cancelled }) =>
      ears.onPermission(params, cancelled),
    )
    .onRequest(methods.client.elicitation.create, ({ params, signal: cancelled }) =>
      ears.onElicitation(params, cancelled),
    )
    .connect(
      oneByOne(
        acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(gated(child.stdout, mayRead))),
        mayRead,
      ),
    );
  const close = createClose(child, connection, ended);
  const onAbort = () => void close();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const introduction = await Promise.race([
      connection.agent.request(methods.agent.initialize, {
        protocolVersion: acp.PROTOCOL_VERSION,
        clientInfo: { name: 'drawbridge', title: 'Drawbridge', version: '0.1.0' },
        // No `fs`, no `terminal`: the agent uses its own, on the machine where it runs.
        clientCapabilities: { elicitation: { form: {} } },
      }),
      ended.then((how) => Promise.reject(new Error(how))),
    ]);
    if (introduction.protocolVersion !== acp.PROTOCOL_VERSION) {
      throw new Error(
        `it speaks version ${introduction.protocolVersion} of the Agent Client Protocol, not ${acp.PROTOCOL_VERSION}`,
      );
    }
    signal?.throwIfAborted();
    return { pid, agent: connection.agent, introduction, ended, close };
  } catch (error) {
    // Output closes just before the exit, and the exit reason is more informative.
    const how = await Promise.race([ended, settled(error)]);
    await close();
    if (signal?.aborted) throw refusal('launch_timeout', `${profile.display_name} did not start in time.`);
    throw refusal('agent_not_open', `${profile.display_name} did not start: ${how}`, error);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Leaves output in the pipe while it may not be read, so that the agent waits. */
const gated = (output: Readable, mayRead: (() => Promise<void>) | undefined): Readable =>
  mayRead === undefined
    ? output
    : Readable.from(
        (async function* () {
          for await (const chunk of output) {
            await mayRead();
            yield chunk;
          }
        })(),
        { objectMode: false },
      );

/**
 * Takes no message that was read ahead while it may not be read. Reads the next message when everything that waited for this one has run: otherwise the first update of a
 * turn may be handled before the end of the turn ahead of it.
 */
const oneByOne = ({ readable, writable }: acp.Stream, mayRead?: () => Promise<void>): acp.Stream => ({
  readable: readable.pipeThrough(
    new TransformStream({
      async transform(message, controller) {
        await mayRead?.();
        controller.enqueue(message);
        await setImmediate();
      },
    }),
  ),
  writable,
});

export const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const data = error instanceof acp.RequestError && error.data !== undefined ? error.data : undefined;
  return data === undefined
    ? error.message
    : `${error.message} (${JSON.stringify(data).slice(0, LAST_WORDS)})`;
};

async function settled(error: unknown): Promise<string> {
  if (!(error instanceof acp.RequestError)) await setTimeout(POLITE_MS);
  return wordsOf(error);
}

async function started(child: Child, profile: AcpProfile): Promise<void> {
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw refusal(
      'agent_not_open',
      `${profile.command[0]} cannot be started (${wordsOf(error)}). ${profile.install}`,
      error,
    );
  }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function endOf(child: Child): Promise<string> {
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS);
  });
  return new Promise((resolve) => {
    child.on('error', () => resolve('it could not be started'));
    const tell = (code: number | null, signal: NodeJS.Signals | null): void => {
      const how = signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
      const last = words.trim().split('\n').at(-1) ?? '';
      resolve(last === '' ? how : `${how}: ${last}`);
    };
    child.on('close', tell);
    // A child that it started may hold its output open forever.
    child.on('exit', (code, signal) => void setTimeout(LAST_WORDS_MS).then(() => tell(code, signal)));
  });
}

function kill({ pid }: Child, signal: NodeJS.Signals): void {
  if (pid !== undefined) endGroup(pid, signal);
}

function createClose(child: Child, connection: acp.ClientConnection, ended: Promise<string>) {
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    connection.close();
    child.stdin.end();
    kill(child, 'SIGTERM');
    const timer = new AbortController();
    void setTimeout(POLITE_MS, undefined, timer).then(
      () => kill(child, 'SIGKILL'),
      () => {},
    );
    await ended;
    timer.abort();
    kill(child, 'SIGKILL');
  };
  return (): Promise<void> => {
    closing ??= close();
    return closing;
  };
}
