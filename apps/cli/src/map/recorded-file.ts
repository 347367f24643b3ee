import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { printMap, validate } from '@drawbridge/manifest';
import type { Manifest, Tool } from '@drawbridge/protocol/manifest';
import { UsageError } from '../command.ts';

export type RecordedFile = Awaited<ReturnType<typeof openRecordedFile>>;

export interface WrittenFiles {
  readonly file: string;
  readonly walk: string;
  readonly tool: string;
  readonly replaced: boolean;
}

interface Intent {
  readonly url: string;
  readonly name: string | undefined;
  readonly replace: boolean | undefined;
}

/** Finds all obstacles before a person does any work. */
export async function openRecordedFile(file: string, intent: Intent) {
  const before = existsSync(file) ? mapIn(file, await readFile(file, 'utf8')) : undefined;
  const origin = before?.surface?.origin;
  if (origin !== undefined && new URL(origin).origin !== new URL(intent.url).origin)
    throw new UsageError(
      `${file} is the map of ${origin}, and ${intent.url} is elsewhere. Use another FILE.`,
    );
  const taken = new Set(before?.tools.map(({ name }) => name));
  const mayReplace = intent.replace === true;
  if (intent.name !== undefined && taken.has(intent.name) && !mayReplace)
    throw new UsageError(
      `${file} has a tool ${intent.name} already. Choose another --name, or --replace it.`,
    );
  const nameFor = (name: string) => (mayReplace ? name : freeName(name, taken));
  return {
    /** Returns a free name for the tool, unless it replaces one. */
    nameFor,
    async write(map: Manifest, walkOf: (tool: string) => string): Promise<WrittenFiles> {
      const [recorded] = map.tools;
      if (recorded === undefined) throw new Error('Nothing was recorded.');
      const tool: Tool = { ...recorded, name: nameFor(recorded.name) };
      const replaced = taken.has(tool.name);
      const walk = join(dirname(file), `${tool.name}.walk.json`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, printMap(merged(before, map, tool)));
      await writeFile(walk, walkOf(tool.name));
      return { file, walk, tool: tool.name, replaced };
    },
  };
}

function mapIn(file: string, text: string): Manifest {
  const result = validate(text);
  if (result.ok) return result.map;
  throw new Error(
    `${file} is not a valid map, so nothing can be added. See: drawbridge map validate ${file}`,
  );
}

function merged(before: Manifest | undefined, map: Manifest, tool: Tool): Manifest {
  if (before === undefined) return { ...map, tools: [tool] };
  const isThere = before.tools.some(({ name }) => name === tool.name);
  const tools = isThere
    ? before.tools.map((each) => (each.name === tool.name ? tool : each))
    : [...before.tools, tool];
  return { ...before, tools };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name}_${number}`)) return `${name}_${number}`;
}
