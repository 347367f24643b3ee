import { createHash, randomUUID } from 'node:crypto';
import { ledgerError, openWire } from '@drawbridge/ledger';
import type { FileContents } from './file-store.ts';

/** One part is one row: one statement sends it, and memory holds it once. */
const PART_BYTES = 262_144;
const CONNECTIONS = 2;
const WITHIN_MS = 10_000;

/** Two nodes that start at once would both create it. */
const SET_UP = `DO $$ BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('drawbridge.file_parts'));
  CREATE TABLE IF NOT EXISTS file_parts (
    content_id text NOT NULL, part integer NOT NULL, bytes bytea NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (content_id, part));
  CREATE TABLE IF NOT EXISTS file_contents (
    sha256 text PRIMARY KEY, content_id text NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT clock_timestamp());
END $$`;
const PUT_PART = `INSERT INTO file_parts (content_id, part, bytes) VALUES ($1::text, $2::integer, decode($3::text, 'base64'))`;
const DROP_PARTS = 'DELETE FROM file_parts WHERE content_id = $1::text';
/** Existing equal content stays, with a new age. */
const PUT_CONTENT = `INSERT INTO file_contents (sha256, content_id) VALUES ($1::text, $2::text)
  ON CONFLICT (sha256) DO UPDATE SET stored_at = clock_timestamp() RETURNING content_id`;
const FIND = 'SELECT content_id FROM file_contents WHERE sha256 = $1::text';
const GET_PART = `SELECT encode(bytes, 'base64') AS bytes FROM file_parts
  WHERE content_id = $1::text AND part = $2::integer`;
/** Content is stored before the row that names it: young content may still get its row. */
const SETTLED = "stored_at < clock_timestamp() - interval '60 seconds'";
const LIST_SETTLED = `SELECT sha256 FROM file_contents WHERE ${SETTLED}`;
const DROP_CONTENT = `DELETE FROM file_contents WHERE sha256 = $1::text AND ${SETTLED}`;
const DROP_STRAYS = `DELETE FROM file_parts WHERE stored_at < clock_timestamp() - interval '1 hour'
  AND content_id NOT IN (SELECT content_id FROM file_contents)`;

export interface FileTable extends FileContents {
  readonly close: () => Promise<void>;
}

/** Contents in the ledger's database, so that every leader has them. */
export async function openFileTable(url: string): Promise<FileTable> {
  const wire = openWire({
    url,
    connections: CONNECTIONS,
    connectWithinMs: WITHIN_MS,
    answerWithinMs: WITHIN_MS,
  });
  try {
    await wire.ask(SET_UP);
  } catch (error) {
    await wire.close();
    throw ledgerError(error);
  }

  const partOf = async (content_id: string, part: number): Promise<Buffer | undefined> => {
    const [row] = await wire.ask(GET_PART, content_id, part);
    return row === undefined ? undefined : Buffer.from(String(row['bytes']), 'base64');
  };

  return {
    async keep(content, admit) {
      const content_id = randomUUID();
      const hash = createHash('sha256');
      let waiting: Uint8Array[] = [];
      let gathered = 0;
      let parts = 0;
      let bytes = 0;
      let isKept = false;
      const put = async (): Promise<void> => {
        const all = Buffer.concat(waiting);
        waiting = [];
        gathered = 0;
        for (let from = 0; from < all.length; from += PART_BYTES) {
          const text = all.subarray(from, from + PART_BYTES).toString('base64');
          await wire.ask(PUT_PART, content_id, parts, text);
          parts += 1;
        }
      };
      try {
        for await (const part of content) {
          bytes += part.length;
          if (!admit(part.length)) return undefined;
          hash.update(part);
          waiting.push(part);
          gathered += part.length;
          if (gathered >= PART_BYTES) await put();
        }
        await put();
        const sha256 = hash.digest('hex');
        const [row] = await wire.ask(PUT_CONTENT, sha256, content_id);
        isKept = row?.['content_id'] === content_id;
        return { sha256, bytes };
      } finally {
        if (!isKept) await wire.ask(DROP_PARTS, content_id);
      }
    },
    async read(sha256) {
      const [row] = await wire.ask(FIND, sha256);
      if (row === undefined) return undefined;
      const content_id = String(row['content_id']);
      let part = 0;
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          const bytes = await partOf(content_id, part);
          part += 1;
          if (bytes === undefined) controller.close();
          else controller.enqueue(bytes);
        },
      });
    },
    async sweep({ ledger }) {
      for (const row of await wire.ask(LIST_SETTLED)) {
        const sha256 = String(row['sha256']);
        if (!(await ledger.hasContent(sha256))) await wire.ask(DROP_CONTENT, sha256);
      }
      await wire.ask(DROP_STRAYS);
    },
    close: wire.close,
  };
}
