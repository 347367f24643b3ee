import { statfs } from 'node:fs/promises';
import { type Ledger, LedgerError, type Write } from '@drawbridge/ledger';
import type { CommitHooks } from './metrics.ts';

/** A part that fails, with a sentence for the operator. */
export interface Problem {
  readonly part: 'relay' | 'ledger' | 'disk' | 'lease' | 'leader' | 'bus';
  readonly message: string;
}

export interface Health {
  /** Reasons why work is refused now; empty when the relay is ready. */
  readonly problems: readonly Problem[];
  /** Failures that do not keep the relay from taking work. */
  readonly degraded: readonly Problem[];
}

export const STOPPING: Problem = { part: 'relay', message: 'The relay is stopping.' };

/** Kept free of new sends, so that outcomes of accepted ones can still be stored. */
export const RESERVE_BYTES = 16 * 1_048_576;
/** Free space below which the relay is degraded, and `drawbridge doctor` complains. */
export const LOW_DISK_BYTES = 1_000_000_000;
const LOOK_MS = 1_000;

/** Free space of the data folder's disk. */
export interface Disk {
  /** Bytes at the last look; infinite if the system does not tell. */
  free: number;
  readonly look: () => Promise<number>;
  readonly close: () => void;
}

export async function watchDisk(folder: string): Promise<Disk> {
  const look = async (): Promise<number> => {
    disk.free = await statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Number.POSITIVE_INFINITY,
    );
    return disk.free;
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  const disk: Disk = { free: Number.POSITIVE_INFINITY, look, close: () => clearInterval(timer) };
  await look();
  return disk;
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;

/** `needed`: bytes without which no work is taken; 0 where the ledger is on another machine. */
export async function diskHealth(disk: Disk, needed: number): Promise<Health> {
  const free = await disk.look();
  if (free >= LOW_DISK_BYTES) return { problems: [], degraded: [] };
  const left = `${megabytes(free)} are free on the disk of the data folder.`;
  return free < needed
    ? {
        problems: [{ part: 'disk', message: `The disk is full: ${left} Free some space.` }],
        degraded: [],
      }
    : { problems: [], degraded: [{ part: 'disk', message: `The disk is nearly full: ${left}` }] };
}

/** Refuses new sends while the disk has only its reserve left. A repeated send is still answered. */
export function withReserve(ledger: Pick<Ledger, 'message'>, disk: Disk): Required<CommitHooks>['admit'] {
  const refuseNew = async (writes: readonly Write[]): Promise<void> => {
    for (const write of writes) {
      if (write.do !== 'accept_message') continue;
      if ((await ledger.message(write.session_id, write.client_message_id)) !== undefined) continue;
      throw new LedgerError('ledger_full', 'The disk is full. Free some space; nothing was recorded.');
    }
  };
  return (writes) => (disk.free >= RESERVE_BYTES ? undefined : refuseNew(writes));
}

const ANSWER_MS = 2_000;
const FRESH_MS = 2_000;
const PROBE = 'write_probe';

/** Write probe: commits a setting, unless another commit has just succeeded. */
export interface WriteProbe extends Pick<Required<CommitHooks>, 'onStored' | 'onFailed'> {
  readonly check: () => Promise<readonly Problem[]>;
}

export function createWriteProbe(store: Pick<Ledger, 'commit'>): WriteProbe {
  let succeeded = Number.NEGATIVE_INFINITY;
  let probing: Promise<readonly Problem[]> | undefined;
  const onStored = (): void => {
    succeeded = performance.now();
  };
  const onFailed = (): void => {
    succeeded = Number.NEGATIVE_INFINITY;
  };

  const probe = async (): Promise<readonly Problem[]> => {
    const late = Promise.withResolvers<readonly Problem[]>();
    const timer = setTimeout(() => late.resolve([NO_ANSWER]), ANSWER_MS);
    const written = store.commit([{ do: 'put_setting', key: PROBE, value: null }]).then(
      () => {
        onStored();
        return [];
      },
      (error: unknown) => {
        onFailed();
        return [{ part: 'ledger', message: reasonOf(error) }] as const;
      },
    );
    try {
      return await Promise.race([written, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    onStored,
    onFailed,
    check() {
      if (performance.now() - succeeded < FRESH_MS) return Promise.resolve([]);
      probing ??= probe().finally(() => {
        probing = undefined;
      });
      return probing;
    },
  };
}

const NO_ANSWER: Problem = { part: 'ledger', message: 'The ledger does not answer.' };

const REASONS: { readonly [code in LedgerError['code']]?: string } = {
  ledger_full: 'The ledger has no room. Free some space.',
  ledger_io: 'The ledger cannot be written. Check the disk, and whether it is mounted read-only.',
  ledger_unreachable: 'The database does not answer.',
  ledger_unknown: 'The database does not answer.',
};

/** The error's own message may name files, which are not for strangers. */
const reasonOf = (error: unknown): string =>
  (error instanceof LedgerError ? REASONS[error.code] : undefined) ?? 'The ledger does not take writes.';
