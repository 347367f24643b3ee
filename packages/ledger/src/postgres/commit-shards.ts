import { LedgerError } from '../ledger-error.ts';
import { enqueue, PEOPLES_SHARE, type Queued } from '../people-first.ts';
import type { CommitResult } from '../writes.ts';
import type { CommitConnection } from './commit-connection.ts';
import type { PackedTransaction } from './packed-transaction.ts';

interface Waiting extends Queued {
  readonly transaction: PackedTransaction;
  /** The touched shards, the lowest first: that one commits, while the others wait. */
  readonly shards: readonly number[];
  readonly until: number;
  readonly resolve: (outcome: CommitResult) => void;
  readonly reject: (error: LedgerError) => void;
}

export interface CommitShardsOptions {
  readonly maxGroup: number;
  readonly maxGroupChars: number;
  readonly maxWaiting: number;
  readonly timeoutMs: number;
  readonly now: () => number;
}

const GLOBAL_SHARD = 0;

/**
 * CHT-139: transactions that come during a shard's batch share the next one. A session is always in the same
 * shard, so its transactions commit in order; a transaction that touches several shards waits at the head of
 * each.
 */
export function createCommitShards(shards: readonly CommitConnection[], options: CommitShardsOptions) {
  const { maxGroup, maxGroupChars, maxWaiting, timeoutMs, now } = options;
  const queues: Waiting[][] = shards.map(() => []);
  const busy = shards.map(() => false);
  const tails: Promise<unknown>[] = shards.map(() => Promise.resolve());
  let waiting = 0;
  let planned = false;

  const shardOf = (session_id: string): number => hashOf(session_id) % shards.length;

  const shardsOf = ({ sessions, isGlobal }: PackedTransaction): readonly number[] => {
    const touched = new Set(sessions.map(shardOf));
    if (isGlobal || touched.size === 0) touched.add(GLOBAL_SHARD);
    return [...touched].sort((a, b) => a - b);
  };

  /** Takes as many as fit from the head of a shard, and the other shards that they block. */
  const takeFrom = (shard: number): { group: Waiting[]; held: Set<number> } => {
    const group: Waiting[] = [];
    const held = new Set([shard]);
    let chars = 0;
    for (;;) {
      const next = queues[shard]?.[0];
      if (next === undefined || group.length === maxGroup || next.shards[0] !== shard) break;
      chars += next.transaction.text.length;
      if (group.length > 0 && chars > maxGroupChars) break;
      const isNext = next.shards.every(
        (each) => queues[each]?.[0] === next && (held.has(each) || busy[each] === false),
      );
      if (!isNext) break;
      for (const each of next.shards) {
        queues[each]?.shift();
        held.add(each);
      }
      group.push(next);
    }
    return { group, held };
  };

  const handOver = (): void => {
    for (const shard of shards.keys()) {
      if (busy[shard]) continue;
      const { group, held } = takeFrom(shard);
      if (group.length > 0) void commitGroup(shard, group, held);
    }
  };

  const commitGroup = async (shard: number, group: readonly Waiting[], held: ReadonlySet<number>) => {
    for (const each of held) busy[each] = true;
    waiting -= group.length;
    const answers = await answersFor(shard, group);
    for (const each of held) busy[each] = false;
    // The next batch is sent before the answers of this one are handled.
    handOver();
    for (const [index, { resolve, reject }] of group.entries()) {
      const answer = answers[index];
      if (answer !== undefined && 'committed' in answer) resolve(answer);
      else reject(answer ?? new LedgerError('ledger_io', 'The database did not answer for all of it.'));
    }
  };

  const answersFor = async (shard: number, group: readonly Waiting[]) => {
    const until = Math.min(...group.map((each) => each.until));
    try {
      return await (shards[shard]?.commit(
        group.map(({ transaction }) => transaction),
        until,
      ) ?? []);
    } catch (cause) {
      const failure = new LedgerError('ledger_io', 'The ledger failed. Restart the relay.', cause);
      return group.map(() => failure);
    }
  };

  const plan = (): void => {
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      handOver();
    });
  };

  return {
    add: (transaction: PackedTransaction): Promise<CommitResult> => {
      const { isOfPerson, sessions } = transaction;
      if (waiting >= (isOfPerson ? maxWaiting : maxWaiting * (1 - PEOPLES_SHARE))) {
        const message = `${maxWaiting} transactions already wait for the database. Try again later.`;
        return Promise.reject(new LedgerError('ledger_busy', message));
      }
      const shardsTouched = shardsOf(transaction);
      const answer = new Promise<CommitResult>((resolve, reject) => {
        const until = now() + timeoutMs;
        const entry = {
          ...{ transaction, shards: shardsTouched, until, resolve, reject, passed: 0 },
          // A transaction in several shards has the same order in each.
          isOfPerson: isOfPerson && shardsTouched.length === 1,
        };
        for (const shard of shardsTouched) enqueue(queues[shard] ?? [], entry, sessions[0], touches);
        waiting += 1;
        plan();
      });
      const settled = answer.catch(() => {});
      for (const shard of shardsTouched) tails[shard] = settled;
      return answer;
    },
    /** Resolves once all earlier commits of this session, or of all sessions, are answered. */
    idle: async (session_id?: string): Promise<void> => {
      await (session_id === undefined ? Promise.all(tails) : tails[shardOf(session_id)]);
    },
  };
}

const touches = ({ shards, transaction: { sessions } }: Waiting, session_id: string): boolean =>
  shards.length > 1 || sessions.includes(session_id);

/** FNV-1a, https://datatracker.ietf.org/doc/html/draft-eastlake-fnv */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
