import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type OutboxStore, parseSends } from '../chat/outbox-store.ts';

const SUFFIX = '.json';
const SAFE_NAME = /^[\w-]{1,128}$/;

/** One file per message in a dedicated folder, each written atomically and durably. */
export function fileOutbox(folder: string): OutboxStore {
  const fileOf = (id: string): string => {
    if (!SAFE_NAME.test(id)) {
      throw new Error(
        `${JSON.stringify(id.slice(0, 64))} cannot be a file's name: let the link make the ids.`,
      );
    }
    return join(folder, id + SUFFIX);
  };
  return {
    load: async () => {
      const names = (await readdir(folder).catch(none)).filter((name) => name.endsWith(SUFFIX));
      return parseSends(await Promise.all(names.map((name) => readJson(join(folder, name)))));
    },
    put: async (message) => {
      const file = fileOf(message.client_message_id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeSynced(`${file}.new`, JSON.stringify(message));
      await rename(`${file}.new`, file);
      await sync(folder);
    },
    remove: (id) => rm(fileOf(id), { force: true }),
  };
}

async function writeSynced(file: string, text: string): Promise<void> {
  await using handle = await open(file, 'w', 0o600);
  await handle.writeFile(text);
  await handle.sync();
}

/** A new name is durable only after a sync of its folder. */
async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/** Undefined when another process has removed it, or it is unreadable. */
async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function none(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
