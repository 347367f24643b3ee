import { integer, type Row } from '../rows/row.ts';
import { ledgerError } from './postgres-error.ts';
import { openWire, type Value, type WireOptions } from './wire.ts';

const PARTITIONS = Array.from({ length: 16 }, (_, n) => [`events_${n}`, `messages_${n}`]).flat();
/** A partition with less free space is left to the rows to come. */
const LEAST_FREE_BYTES = 16 * 1_048_576;
/** Rewriting more would hold up its sessions for seconds. */
const MOST_KEPT_BYTES = 32 * 1_048_576;
const SAMPLED_PAGES = 1_000;
/** Short, because commits queue behind the waiting rewrite. */
const LOCK_WITHIN_MS = 500;

const SIZE = `SELECT pg_table_size($1::regclass) AS bytes,
  least(100, 100.0 * ${SAMPLED_PAGES} * current_setting('block_size')::int / greatest(pg_relation_size($1::regclass), 1))::float4 AS percent`;
const keptIn = (partition: string): string =>
  `SELECT ceil(coalesce(sum(pg_column_size(row.*)), 0) * 100 / $1::float4)::bigint AS bytes
  FROM ${partition} row TABLESAMPLE SYSTEM ($1::float4)`;

type Ask = (statement: string, ...values: readonly Value[]) => Promise<readonly Row[]>;

/** Returns the space of deleted rows to the file system: autovacuum only keeps it for new rows. */
export function createSpaceReturn(ask: Ask, wireOptions: WireOptions): () => Promise<boolean> {
  let left: readonly string[] = PARTITIONS;

  const isMostlyFree = async (partition: string): Promise<boolean> => {
    const [size] = await ask(SIZE, partition);
    if (size === undefined || integer(size, 'bytes') < LEAST_FREE_BYTES) return false;
    const [kept] = await ask(keptIn(partition), Number(size['percent']));
    if (kept === undefined) return false;
    const bytes = integer(kept, 'bytes');
    return bytes <= MOST_KEPT_BYTES && integer(size, 'bytes') >= 2 * bytes + LEAST_FREE_BYTES;
  };

  const rewrite = async (partition: string): Promise<void> => {
    const wire = openWire({ ...wireOptions, connections: 1, lockWithinMs: LOCK_WITHIN_MS });
    try {
      await wire.ask(`VACUUM FULL ${partition}`);
    } catch (error) {
      const failure = ledgerError(error);
      // In use, such as by pg_dump: tried again at the next sweep.
      if (failure.code !== 'ledger_busy') throw failure;
    } finally {
      await wire.close();
    }
  };

  /** Looks at one partition; true when there are others. */
  return async () => {
    const [partition, ...others] = left;
    left = others.length > 0 ? others : PARTITIONS;
    if (partition !== undefined && (await isMostlyFree(partition))) await rewrite(partition);
    return others.length > 0;
  };
}
