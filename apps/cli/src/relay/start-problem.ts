import { setTimeout as passed } from 'node:timers/promises';
import { LedgerError } from '@drawbridge/ledger';
import { readBridgeFile } from '../browser/bridge-file.ts';
import type { DataFolder } from '../live/data-folder.ts';
import { findRunningRelay } from './local-relay.ts';

/** The relay's error has the system error as its cause. */
export const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'EADDRINUSE') || isPortTaken(error.cause));

export interface PortOptions {
  readonly port: number;
  /** Use another port if another program has it. */
  readonly anyPort: boolean;
  readonly data: DataFolder;
  readonly print: (line: string) => void;
}

/** Starts at the requested port, or throws with advice. */
export async function startedAt<Started>(
  { port, anyPort, data, print }: PortOptions,
  start: (port: number) => Promise<Started>,
): Promise<Started> {
  try {
    return await start(port);
  } catch (error) {
    if (!anyPort || !isPortTaken(error) || (await isDrawbridge(port)))
      throw await startProblem(error, port, data);
    print(`Port ${port} is in use by another program, so another port is used.`);
    return start(0);
  }
}

const NO_ROOM_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'ledger_full']);
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && NO_ROOM_CODES.has(error.code)) || isDiskFull(error.cause));

const LOOK_AGAIN_MS = 1_000;
const NO_ROOM = 'The disk of the data folder is full. The relay goes on by itself once there is room.';

/** Repeats a step until the disk has room for it; undefined when the end was requested before. */
export type RoomWait = <Done>(step: () => Promise<Done>) => Promise<Done | undefined>;

export function createRoomWait(ended: Promise<void>, say: (line: string) => void): RoomWait {
  let isTold = false;
  return async (step) => {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (!isDiskFull(error)) throw error;
      }
      if (!isTold) say(NO_ROOM);
      isTold = true;
      const isEnded = await Promise.race([ended.then(() => true), passed(LOOK_AGAIN_MS, false)]);
      if (isEnded) return undefined;
    }
  };
}

/** Explains why the relay did not start, with advice; unforeseen errors stay as they are. */
async function startProblem(error: unknown, port: number, data: DataFolder): Promise<unknown> {
  if (error instanceof LedgerError && error.code === 'ledger_locked') return alreadyRuns(data);
  if (!isPortTaken(error)) return error;
  return (await isDrawbridge(port))
    ? new Error(
        `Another Drawbridge runs at http://127.0.0.1:${port}, with another folder than ${data.path}.\nOpen that one, end it with Ctrl-C where it runs, or run this one beside it: --port 0`,
      )
    : new Error(
        `Port ${port} is in use by another program. Choose a port with --port, or --port 0 for any free one.`,
      );
}

async function alreadyRuns({ path, bridgeFile }: DataFolder): Promise<Error> {
  const { url } = (await findRunningRelay(path, { waitMs: 0 }).catch(() => undefined)) ?? {};
  const served = await readBridgeFile(bridgeFile);
  const end = served !== undefined && served.url === url ? `, or: kill ${served.pid}` : '';
  return new Error(
    [
      `A relay runs with ${path} already${url === undefined ? '' : `, at ${url}`}.`,
      'To open it: drawbridge pair gives a link.',
      `To end it: Ctrl-C where it runs${end}.`,
      'To run another beside it: --data with another folder, and --port 0.',
    ].join('\n'),
  );
}

const LOOK_MS = 2_000;

/** By its own answer; a TLS server is not asked. */
export async function isDrawbridge(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/openapi.json`, {
      signal: AbortSignal.timeout(LOOK_MS),
    });
    const { info }: { readonly info?: { readonly title?: unknown } } = JSON.parse(await answer.text());
    return String(info?.title).startsWith('Drawbridge');
  } catch {
    return false;
  }
}
