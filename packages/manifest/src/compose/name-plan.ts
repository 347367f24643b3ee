import { LIMITS } from '@drawbridge/protocol';
import type { Composition } from '@drawbridge/protocol/manifest';
import type { Static } from 'typebox';
import type { ImportLink } from './origin.ts';
import { bySection, nameOf, type Part, type PartsWith, type Section } from './parts.ts';
import type { Conflict } from './problem.ts';

export type ConflictPolicy = Static<typeof Composition>['default_conflict_policy'];

/** The name of an imported part in the importing map; `kept` is false when it lost a conflict. */
interface Naming {
  readonly name: string;
  readonly first: boolean;
}

export type Namings = Readonly<Record<Section, ReadonlyMap<string, Naming>>>;

export interface ImportedNames {
  readonly link: ImportLink;
  readonly parts: PartsWith<object>;
}

export interface NamePlan {
  /** For each import, in order. */
  readonly namings: readonly Namings[];
  /** The map's own parts that lost a conflict. */
  readonly ownLeftOut: Readonly<Record<Section, ReadonlySet<string>>>;
  readonly conflicts: readonly Conflict[];
  readonly tooLong: readonly { readonly import: string; readonly name: string }[];
}

/** The prefix of an import's names: its namespace, else its id unless a policy merges names. */
export function prefixOf({ namespace, id }: ImportLink, policy: ConflictPolicy): string {
  if (namespace !== undefined) return `${namespace}.`;
  return policy === undefined || policy === 'namespace' ? `${id}.` : '';
}

/**
 * Names every imported part and resolves conflicts. Imports are in declaration order, so the first of two
 * keeps the name.
 */
export function planNames(
  own: PartsWith<object>,
  imported: readonly ImportedNames[],
  policy: ConflictPolicy,
  above: readonly string[],
): NamePlan {
  const plans = bySection((section) => planSection(section, own, imported, policy, above));
  return {
    namings: imported.map((_, index) => bySection((section) => plans[section].namings[index] ?? new Map())),
    ownLeftOut: bySection((section) => plans[section].ownLeftOut),
    conflicts: Object.values(plans).flatMap(({ conflicts }) => conflicts),
    tooLong: Object.values(plans).flatMap(({ tooLong }) => tooLong),
  };
}

interface SectionPlan {
  readonly namings: readonly ReadonlyMap<string, Naming>[];
  readonly ownLeftOut: ReadonlySet<string>;
  readonly conflicts: readonly Conflict[];
  readonly tooLong: NamePlan['tooLong'];
}

const OWN = 'own';

function planSection(
  section: Section,
  own: PartsWith<object>,
  imported: readonly ImportedNames[],
  policy: ConflictPolicy,
  above: readonly string[],
): SectionPlan {
  const holders = new Map<string, string>(namesIn(section, own).map((name) => [name, OWN]));
  const ownLeftOut = new Set<string>();
  const conflicts: Conflict[] = [];
  const tooLong: { import: string; name: string }[] = [];

  const place = (link: ImportLink, name: string): Naming => {
    const wanted = prefixOf(link, policy) + name;
    if (wanted.length > LIMITS.id.value) {
      tooLong.push({ import: link.id, name: wanted });
      return { name: wanted, first: false };
    }
    const holder = holders.get(wanted);
    if (holder === undefined) {
      holders.set(wanted, link.id);
      return { name: wanted, first: true };
    }
    const theirs = holder === OWN ? above : [...above, holder];
    const ours = [...above, link.id];
    const conflict = { section, name: wanted, kept: theirs, gaveWay: ours };
    if (policy === 'prefer_import' && holder === OWN) {
      holders.set(wanted, link.id);
      ownLeftOut.add(wanted);
      conflicts.push({ ...conflict, kept: ours, gaveWay: theirs, outcome: 'left_out' });
      return { name: wanted, first: true };
    }
    const second = `${link.id}.${wanted}`;
    const mayPrefix = policy === undefined || policy === 'namespace';
    if (mayPrefix && !holders.has(second) && second.length <= LIMITS.id.value) {
      holders.set(second, link.id);
      conflicts.push({ ...conflict, outcome: 'prefixed', renamedTo: second });
      return { name: second, first: true };
    }
    conflicts.push({ ...conflict, outcome: policy === 'error' ? 'refused' : 'left_out' });
    return { name: wanted, first: false };
  };

  const namings = imported.map(
    ({ link, parts }) => new Map(namesIn(section, parts).map((name) => [name, place(link, name)])),
  );
  return { namings, ownLeftOut, conflicts, tooLong };
}

function namesIn(section: Section, parts: PartsWith<object>): string[] {
  const list: readonly { readonly part: Part<Section> }[] = parts[section];
  return list.map(({ part }) => nameOf(section, part));
}
