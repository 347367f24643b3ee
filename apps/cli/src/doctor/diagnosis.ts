import { openDataFolder } from '../live/data-folder.ts';
import { findRunningRelay, type RunningRelay } from '../relay/local-relay.ts';
import { bad, type Finding } from './finding.ts';
import {
  certificateCheck,
  extensionCheck,
  folderCheck,
  ledgerCheck,
  pushKeysCheck,
} from './folder-checks.ts';
import { browserCheck, diskCheck, nodeCheck } from './machine-checks.ts';
import { portCheck, relayChecks } from './relay-checks.ts';

export interface DoctorOptions {
  readonly data: string | undefined;
  readonly port: number;
  /** False to skip starting a browser. */
  readonly browser: boolean;
  readonly now: () => number;
}

/** Runs all checks, and yields each finding at once. Changes nothing, except creating an empty folder. */
export async function* diagnose({ data, port, browser, now }: DoctorOptions): AsyncGenerator<Finding> {
  yield nodeCheck();
  const folder = await pathOf(data);
  if (typeof folder !== 'string') yield folder;
  else {
    yield* await folderCheck(folder);
    yield await diskCheck(folder);
    yield await ledgerCheck(folder);
    yield* await certificateCheck(folder, now());
    yield await pushKeysCheck(folder);
    const relay = await runningAt(folder);
    if (relay === undefined) yield await portCheck(port);
    else yield* 'status' in relay ? [relay] : await relayChecks(relay, now);
    yield await extensionCheck(folder);
  }
  if (browser) yield* await browserCheck();
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const pathOf = (data: string | undefined): Promise<string | Finding> =>
  openDataFolder(data).then(
    ({ path }) => path,
    (error: unknown) => {
      const [what = '', fix = ''] = messageOf(error).split('\n');
      return bad('folder', what, fix);
    },
  );

/** A finding if another program answers at the relay's address. */
const runningAt = (folder: string): Promise<RunningRelay | Finding | undefined> =>
  findRunningRelay(folder, { waitMs: 0 }).catch((error: unknown) => {
    return bad('relay', messageOf(error), 'Stop what listens there, then: drawbridge up');
  });
