import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres } from '@drawbridge/testbed/find-postgres';
import { whole } from '../../scripts/bench/words.ts';
import type { ClusterBench } from './cluster-bench.ts';

const SIZES = `SELECT
  (SELECT count(*) FROM drawbridge.events) AS events,
  (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'drawbridge' AND c.relkind = 'r') AS bytes`;

/** Costs that docs/scale.md uses, measured on the data of the other benchmarks. */
export async function printCosts({ postgres, nodes }: ClusterBench): Promise<void> {
  const { stdout } = await promisify(execFile)(join(findPostgres() ?? '', 'psql'), [
    ...[postgres.url, '--no-align', '--tuples-only', '--field-separator', ' ', '-c', SIZES],
  ]);
  const [events = Number.NaN, bytes = Number.NaN] = stdout.trim().split(' ').map(Number);
  console.log(
    `The ledger: ${whole(events)} events, ${whole(bytes / events)} bytes each with all that belongs to them.`,
  );
  for (const { url } of nodes) {
    const figures = await fetch(`${url}/metrics`).then(
      (response) => response.text(),
      () => '',
    );
    const of = (direction: string) =>
      Number(
        new RegExp(`bus_messages_total\\{direction="${direction}"\\} (\\d+)`).exec(figures)?.[1] ??
          Number.NaN,
      );
    if (figures !== '')
      console.log(
        `A node's bus messages: ${whole(of('published'))} published, ${whole(of('received'))} received, ${whole(of('dropped'))} dropped.`,
      );
  }
}
