import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { KnownPrimitives, MapProblem } from '@drawbridge/manifest';
import type { Terminal } from '../command.ts';

export type MapFile =
  | { readonly ok: true; readonly file: string; readonly text: string }
  | { readonly ok: false; readonly file: string; readonly message: string };

export async function readMapFile(file: string, terminal: Terminal): Promise<MapFile> {
  try {
    return { ok: true, file, text: file === '-' ? await text(terminal.stdin) : await readFile(file, 'utf8') };
  } catch (error) {
    return { ok: false, file, message: `Could not read ${file}: ${reasonOf(error)}` };
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file.';
  if (code === 'EISDIR') return 'it is a folder; name the actions.json in it.';
  if (code === 'EACCES') return 'you may not read it.';
  return error instanceof Error ? error.message : String(error);
}

/** `--json` output for an unreadable file. */
export const couldNotRead = (message: string) => ({
  ok: false,
  errors: [{ code: 'unreadable_file', pointer: '', line: 1, column: 1, message }],
  warnings: [],
});

/** A problem for programs: exactly these five fields. */
export const wireProblem = ({ code, pointer, line, column, message }: MapProblem<string>) => ({
  code,
  pointer,
  line,
  column,
  message,
});

/** A runtime's dictionary of primitives. */
export async function readDictionary(file: string | undefined): Promise<KnownPrimitives | undefined> {
  if (file === undefined) return undefined;
  const value: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!isDictionary(value))
    throw new Error(
      `${file} is not a dictionary of primitives: it needs a list "primitives" with a "name" each.`,
    );
  return value;
}

function isDictionary(value: unknown): value is KnownPrimitives {
  if (typeof value !== 'object' || value === null || !('primitives' in value)) return false;
  const { primitives } = value;
  return Array.isArray(primitives) && primitives.every((entry) => typeof entry?.name === 'string');
}
