import { describe, expect, test } from 'vitest';
import { describeLedger } from '../../test/ledger.contract.ts';
import { event, send, session } from '../../test/samples.ts';
import { type MemoryDisk, openMemoryLedger } from './memory-ledger.ts';

let disks = 0;

function emptyDisk(): MemoryDisk {
  disks += 1;
  return { epoch: `epoch-${disks}`, synced: [] };
}

describeLedger('memory', async () => {
  const disk = emptyDisk();
  return { open: async () => openMemoryLedger(disk), remove: async () => {} };
});

/** A disk that performs one operation per call. */
function handDisk() {
  const work: (() => void)[] = [];
  const turn = async (times: number) => {
    for (let count = 0; count < times; count += 1) {
      work.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { schedule: (each: () => void) => work.push(each), turn };
}

describe('a controlled disk', () => {
  test('a crash before the sync loses the commit, one after it loses only the answer', async () => {
    const disk = emptyDisk();
    const { schedule, turn } = handDisk();
    const ledger = openMemoryLedger(disk, { schedule });
    const answers: unknown[] = [];
    const asked = ledger.commit([session('a')]).then((outcome) => answers.push(outcome));
    expect(await openMemoryLedger(disk).session('a')).toBeUndefined();
    await turn(1);
    expect(answers).toEqual([]);
    expect(await openMemoryLedger(disk).session('a')).toBeDefined();
    await turn(1);
    await asked;
    expect(answers).toMatchObject([{ committed: true }]);
  });

  test('a drive that answers before its sync loses committed writes in a crash', async () => {
    const disk = emptyDisk();
    const { schedule, turn } = handDisk();
    const ledger = openMemoryLedger(disk, { schedule, lies: true });
    const asked = ledger.commit([session('a')]);
    await turn(2);
    expect(await asked).toMatchObject({ committed: true });
    expect(await openMemoryLedger(disk).session('a')).toBeUndefined();
  });

  test('does not record a commit that the disk refuses, and continues from before it', async () => {
    const disk = emptyDisk();
    let full = false;
    const ledger = openMemoryLedger(disk, { fault: () => (full ? 'ledger_full' : undefined) });
    await ledger.commit([session('a')]);
    full = true;
    await expect(ledger.commit([send('a', 'm1')])).rejects.toMatchObject({ code: 'ledger_full' });
    full = false;
    expect(await ledger.commit([event('a', 'e1')])).toMatchObject({ results: [{ sequence: 1 }] });
    expect(await openMemoryLedger(disk).message('a', 'm1')).toBeUndefined();
  });

  test('a change to a committed object does not reach the ledger', async () => {
    const payload = { list: [1] };
    const ledger = openMemoryLedger(emptyDisk());
    await ledger.commit([session('a'), event('a', 'e1', { payload })]);
    payload.list.push(2);
    expect((await ledger.eventsAfter('a', 0, 9))?.events).toMatchObject([{ payload: { list: [1] } }]);
    expect((await ledger.verify()).damage).toBeUndefined();
  });
});
