import { open, rm } from 'node:fs/promises';

/**
 * Writes the lines to a new file, or prints them. Returns the number of events; throws on an incomplete
 * export.
 */
export async function writeExport(
  content: AsyncIterable<Uint8Array>,
  out: string | undefined,
  print: (line: string) => void,
): Promise<number> {
  if (out === undefined) return copy(content, print);
  const file = await open(out, 'wx', 0o600).catch((cause: unknown) => {
    throw new Error(`${out} already exists, or its folder does not. Choose another --out.`, {
      cause,
    });
  });
  try {
    return await copy(content, (line) => file.appendFile(`${line}\n`));
  } catch (error) {
    await rm(out, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function copy(
  content: AsyncIterable<Uint8Array>,
  write: (line: string) => void | Promise<void>,
): Promise<number> {
  let last = '';
  try {
    for await (const line of linesOf(content)) {
      await write(line);
      last = line;
    }
  } catch (cause) {
    throw new Error('The export is incomplete. Try again.', { cause });
  }
  const { events }: { events?: unknown } = JSON.parse(last || '{}');
  if (typeof events !== 'number') throw new Error('The export is incomplete. Try again.');
  return events;
}

/** Splits at `\n` only: readline also splits at U+2028, which JSON leaves unescaped. */
async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of content) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
