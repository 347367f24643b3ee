import { createHash, randomBytes } from 'node:crypto';
import { openForTest, postgresHarness, runSql } from '@drawbridge/ledger/test/postgres/postgres-harness';
import { expect, onTestFinished, test } from 'vitest';
import { openFileTable } from './file-table.ts';

const harness = postgresHarness();
const all = () => true;
const clock = { now: () => Date.now() };

async function openTables() {
  const url = await harness.createDatabase();
  const ledger = await openForTest({ url });
  const open = async () => {
    const table = await openFileTable(url);
    onTestFinished(table.close);
    return table;
  };
  const [one, two] = await Promise.all([open(), open()]);
  const rows = (table: string) => runSql(url, `SELECT * FROM drawbridge.${table}`);
  const age = () =>
    runSql(
      url,
      `UPDATE drawbridge.file_contents SET stored_at = stored_at - interval '2 hours';
       UPDATE drawbridge.file_parts SET stored_at = stored_at - interval '2 hours'`,
    );
  return { one, two, ledger, rows, age };
}

async function* parts(...all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}

const bytesOf = async (stream: ReadableStream<Uint8Array> | undefined) =>
  stream === undefined ? undefined : Buffer.from(await new Response(stream).arrayBuffer());

test("one node reads another's content, byte for byte, of any length", async () => {
  const { one, two } = await openTables();
  for (const length of [0, 1, 262_143, 262_144, 262_145, 1_000_000]) {
    const content = randomBytes(length);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const middle = Math.floor(length / 3);
    const given = parts(content.subarray(0, middle), content.subarray(middle));
    expect(await one.keep(given, all)).toEqual({ sha256, bytes: length });
    expect(await bytesOf(await two.read(sha256))).toEqual(content);
  }
  expect(await two.read('0'.repeat(64))).toBeUndefined();
});

test('stores equal content once; a refused or aborted upload leaves nothing', async () => {
  const { one, two, rows } = await openTables();
  const content = randomBytes(400_000);
  await Promise.all([one.keep(parts(content), all), two.keep(parts(content), all)]);
  expect([(await rows('file_contents')).length, (await rows('file_parts')).length]).toEqual([1, 2]);
  let admitted = 0;
  const refused = await one.keep(parts(randomBytes(300_000), randomBytes(300_000)), () => {
    admitted += 1;
    return admitted < 2;
  });
  expect(refused).toBeUndefined();
  async function* broken() {
    yield randomBytes(300_000);
    throw new Error('gone');
  }
  await expect(one.keep(broken(), all)).rejects.toThrow('gone');
  expect((await rows('file_parts')).length).toBe(2);
});

test('deletes contents without a file once they are old enough, and keeps the others', async () => {
  const { one, ledger, rows, age } = await openTables();
  const used = await one.keep(parts(Buffer.from('used')), all);
  await one.keep(parts(Buffer.from('unused')), all);
  if (used === undefined) throw new Error('It was not kept.');
  const file = {
    file_id: 'f',
    session_id: null,
    device_id: 'd',
    name: 'n',
    media_type: 'text/plain',
    created_at: 1,
  };
  await ledger.commit([{ do: 'put_file', file: { ...file, ...used } }]);
  await one.sweep({ ledger, clock });
  expect(await rows('file_contents')).toHaveLength(2);
  await age();
  await one.sweep({ ledger, clock });
  expect([(await rows('file_contents')).length, (await rows('file_parts')).length]).toEqual([1, 1]);
  expect(String(await bytesOf(await one.read(used.sha256)))).toBe('used');
});
