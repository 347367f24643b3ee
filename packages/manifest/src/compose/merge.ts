import type { MapNode } from './import-request.ts';
import { type Namings, planNames, prefixOf } from './name-plan.ts';
import type { ImportLink, Origin } from './origin.ts';
import { eachSection, nameOf, type Part, type PartsWith, partsOf, type Section } from './parts.ts';
import type { ComposeProblem, Conflict } from './problem.ts';
import { type MapName, mapReferences } from './reference.ts';

export interface Placed {
  readonly origin: Origin;
}

export type PlacedParts = PartsWith<Placed>;

export interface Merged {
  /** Absent when the conflict policy makes a name conflict an error. */
  readonly parts?: PlacedParts;
  readonly conflicts: readonly Conflict[];
  readonly problems: readonly ComposeProblem[];
}

interface MergedImport {
  readonly link: ImportLink;
  readonly parts: PlacedParts;
}

/** Merges one map with its imports, under the names that it uses for them. */
export function mergeNode(node: MapNode, maxTools: number): Merged {
  const policy = node.map.composition?.default_conflict_policy;
  const above = node.chain.map(({ id }) => id);
  const own = ownParts(node);
  const below = node.imports.map((child) => ({ link: child.chain.at(-1), ...mergeNode(child, maxTools) }));
  const problems = below.flatMap((child) => child.problems);
  const conflicts = below.flatMap((child) => child.conflicts);
  const imported: MergedImport[] = [];
  let tools = own.tools.length;
  for (const { link, parts } of below) {
    if (link === undefined || parts === undefined) continue;
    tools += parts.tools.length;
    if (tools <= maxTools) imported.push({ link, parts });
    else {
      tools -= parts.tools.length;
      problems.push(tooManyTools([...above, link.id], maxTools));
    }
  }
  const plan = planNames(own, imported, policy, above);
  problems.push(...plan.tooLong.map((one) => nameTooLong([...above, one.import], one.name)));
  conflicts.push(...plan.conflicts);
  if (plan.conflicts.some(({ outcome }) => outcome === 'refused')) {
    return { conflicts, problems: [...problems, conflictError(above, plan.conflicts)] };
  }
  const renamed = imported.map(({ link, parts }, index) =>
    renameParts(parts, plan.namings[index], prefixOf(link, policy)),
  );
  const kept = eachSection<Placed, Placed>(own, (section, list) =>
    list.filter(({ part }) => !plan.ownLeftOut[section].has(nameOf(section, part))),
  );
  const parts = eachSection<Placed, Placed>(kept, (section, list) => [
    ...list,
    ...renamed.flatMap((one) => one[section]),
  ]);
  return { parts, conflicts, problems };
}

function ownParts({ map, chain, trust, address }: MapNode): PlacedParts {
  const { provenance } = map;
  const source = { chain, trust, address, ...(provenance === undefined ? {} : { provenance }) };
  return eachSection<object, Placed>(partsOf(map, {}), (section, list) =>
    list.map(({ part }) => ({ part, origin: { ...source, name: nameOf(section, part) } })),
  );
}

function renameParts(parts: PlacedParts, namings: Namings | undefined, prefix: string): PlacedParts {
  const map = renamer(namings, prefix);
  return eachSection<Placed, Placed>(parts, (section, list) =>
    list.flatMap(({ part, origin }) => {
      const naming = namings?.[section].get(nameOf(section, part));
      if (naming === undefined || !naming.first) return [];
      return [{ part: withName(section, mapReferences(section, part, map), naming.name), origin }];
    }),
  );
}

/**
 * Prefixes undeclared names too: left bare, one could match a part of the importing map, by chance or on
 * purpose.
 */
function renamer(namings: Namings | undefined, prefix: string): MapName {
  return ({ sections, name, optional }) => {
    for (const section of sections) {
      const naming = namings?.[section].get(name);
      if (naming !== undefined) return naming.name;
    }
    return optional ? name : prefix + name;
  };
}

type Namers = { readonly [Name in Section]: (part: Part<Name>, name: string) => Part<Name> };

const NAMERS: Namers = {
  tools: (part, name) => ({ ...part, name }),
  signals: (part, name) => ({ ...part, name }),
  states: (part, name) => ({ ...part, name }),
  transitions: (part, name) => ({ ...part, name }),
  context: (part, id) => ({ ...part, id }),
  attachments: (part, id) => ({ ...part, id }),
  checks: (part, id) => ({ ...part, id }),
  state_projections: (part, name) => ({ ...part, name }),
};

function withName<Name extends Section>(section: Name, part: Part<Name>, name: string): Part<Name> {
  return NAMERS[section](part, name);
}

function tooManyTools(imports: readonly string[], maxTools: number): ComposeProblem {
  const message = `The import ${imports.at(-1)} brings the map to more than ${maxTools} tools. It adds nothing.`;
  return { code: 'too_many_tools', imports, message };
}

function nameTooLong(imports: readonly string[], name: string): ComposeProblem {
  const message = `A name of the import ${imports.at(-1)} is ${name.length} characters long with its prefix. It is left out.`;
  return { code: 'name_too_long', imports, message };
}

function conflictError(imports: readonly string[], conflicts: readonly Conflict[]): ComposeProblem {
  const names = conflicts.map(({ section, name }) => `${name} (${section})`).join(', ');
  const message = `Two parts want the same name, which this map's policy makes an error: ${names}. Give the import a namespace.`;
  return { code: 'name_conflict', imports, message };
}
