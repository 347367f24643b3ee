import type { CheckContext } from './check-context.ts';
import type { Findings } from './finding.ts';
import { type Part, partOf, partsOf, SECTION_NAMES, textsOf } from './part.ts';

/** Paths in hints may be opened by other tools, so none may leave the map's root. */
export function* checkSourceFiles({ map }: CheckContext): Findings {
  for (const holder of holdersOf(map)) {
    const source = partOf(holder, 'source');
    if (source === undefined) continue;
    for (const { text, path } of textsOf(source, 'files')) {
      const fault = pathFault(text);
      if (fault !== undefined)
        yield {
          code: 'unsafe_path',
          path,
          message: fault,
          expected: 'a relative path inside the root of the map',
        };
    }
  }
}

function holdersOf(map: Part): Part[] {
  const entries = SECTION_NAMES.flatMap((section) => partsOf(map, section));
  const inside = entries.flatMap((entry) =>
    [partOf(entry, 'x_actions') ?? [], partOf(entry, 'provenance') ?? []].flat(),
  );
  const atRoot = ['surface', 'provenance'].flatMap((key) => partOf(map, key) ?? []);
  return [map, ...atRoot, ...entries, ...inside];
}

const SCHEME_OR_DRIVE = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;

/** Checks POSIX and Windows forms, because a map is written on one system and read on another. */
export function pathFault(file: string): string | undefined {
  if (file.includes('\0')) return 'holds a NUL character';
  if (/^[/\\~]/.test(file) || SCHEME_OR_DRIVE.test(file))
    return 'must be relative to the root of the map, not absolute';
  let depth = 0;
  for (const segment of file.split(/[/\\]/)) {
    if (/^(\.|%2e){2}$/i.test(segment)) depth--;
    else if (segment !== '' && segment !== '.') depth++;
    if (depth < 0) return 'leaves the root of the map';
  }
  return undefined;
}
