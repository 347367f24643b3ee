import { type Part, partOf, partsOf, SECTION_NAMES, SECTIONS, type Section, textOf } from './part.ts';

/** The declared names of a map, and those that its imports may add. */
export type NameTable = ReturnType<typeof nameTable>;

export function nameTable(map: Part) {
  const names = new Map<Section, ReadonlySet<string>>(
    SECTION_NAMES.map((section) => [section, new Set(namesIn(map, section))]),
  );
  const mayBeImported = importedNames(map);
  const silent = partsOf(map, 'tools').filter(
    (tool) => partOf(tool, 'x_actions')?.value['direction'] === 'html_to_agent',
  );
  const silentNames = new Set(silent.map((tool) => textOf(tool, 'name')));
  return {
    declared: (section: Section): readonly string[] => [...(names.get(section) ?? [])],
    /** True for a declared tool with the direction html_to_agent. */
    isSilent: (tool: string): boolean => silentNames.has(tool),
    /** True for a declared name, and for one that an enabled import may add. */
    has: (section: Section, name: string): boolean =>
      names.get(section)?.has(name) === true || mayBeImported(name),
  };
}

const namesIn = (map: Part, section: Section): string[] =>
  partsOf(map, section).flatMap((part) => textOf(part, SECTIONS[section]) ?? []);

/** An import without a namespace is prefixed with its id, or has no prefix under some conflict policies. */
function importedNames(map: Part): (name: string) => boolean {
  const enabled = partsOf(map, 'imports').filter(({ value }) => value['enabled'] !== false);
  const prefixes = enabled.flatMap((part) => [textOf(part, 'namespace') ?? textOf(part, 'id') ?? []].flat());
  const policy = partOf(map, 'composition');
  const merges = ['prefer_local', 'prefer_import', 'error'].includes(
    String(policy?.value['default_conflict_policy']),
  );
  const unprefixed = merges && enabled.some((part) => textOf(part, 'namespace') === undefined);
  return (name) => unprefixed || prefixes.some((prefix) => name.startsWith(`${prefix}.`));
}
