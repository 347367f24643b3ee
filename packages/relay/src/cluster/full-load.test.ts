import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as passed } from 'node:timers/promises';
import { recordRun } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import type { ClusterHarness } from '../../test/cluster/cluster-harness.ts';
import { underLoad } from '../../test/cluster/cluster-load.ts';

/** `npm run deep` sets them. */
const MINUTES = Number(process.env['DRAWBRIDGE_FULL_LOAD_MINUTES'] ?? 30);
/** Processes that use a whole processor each. */
const BURNERS = Number(process.env['DRAWBRIDGE_BURNERS'] ?? availableParallelism());
const LOOK_MS = 1_000;

function burn(): Disposable {
  const children = Array.from({ length: BURNERS }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return {
    [Symbol.dispose]: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** The term that each node knows of. */
async function termsOf(harness: ClusterHarness): Promise<readonly number[]> {
  const texts = await Promise.all(
    harness.living().map(async (index) => (await fetch(`${harness.urlOf(index)}/metrics`)).text()),
  );
  return texts.map((text) => Number(/^drawbridge_leader_term (\d+)$/m.exec(text)?.[1]));
}

test(
  `the leader stays for ${MINUTES} minutes while every processor is busy, and nothing is lost`,
  async () => {
    const terms = new Map<number, number>();
    const report = await underLoad(async ({ harness }) => {
      await harness.leader();
      using _ = burn();
      const until = performance.now() + MINUTES * 60_000;
      do {
        for (const term of await termsOf(harness)) terms.set(term, (terms.get(term) ?? 0) + 1);
        await passed(LOOK_MS);
      } while (performance.now() < until);
    }, {});
    const { problems: _, ...counts } = report;
    recordRun('full-load', {
      title: `Three nodes for ${MINUTES} minutes beside ${BURNERS === 0 ? 'other work' : `${BURNERS} processes that each use a whole core`}`,
      command: `DRAWBRIDGE_FULL_LOAD_MINUTES=${MINUTES} DRAWBRIDGE_BURNERS=${BURNERS} npm run deep -- cluster/full-load`,
      tables: [{ sends: { ...counts, 'terms of leaders': [...terms.keys()].join(' ') } }],
    });
    // 0: a node that could not renew in time knew no leader for a moment.
    expect([...terms.keys()].filter((term) => term > 0)).toHaveLength(1);
  },
  240_000 + MINUTES * 90_000,
);
