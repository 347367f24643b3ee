import type { Placed, PlacedParts } from './merge.ts';
import { isWithin } from './origin.ts';
import { bySection, eachSection, nameOf, type Section } from './parts.ts';
import type { ComposeProblem } from './problem.ts';
import { mapReferences, type Reference } from './reference.ts';

/** Parts that act on the tool they name: an import must not act on another map's tools. */
const ACTING: readonly Section[] = ['transitions', 'attachments', 'state_projections'];

export interface CheckedReferences {
  readonly parts: PlacedParts;
  readonly problems: readonly ComposeProblem[];
}

/** Checks the references that one file alone cannot resolve. */
export function checkReferences(parts: PlacedParts): CheckedReferences {
  const problems: ComposeProblem[] = [];
  const names = namesOf(parts);
  const isKnown = ({ sections, name }: Reference) => sections.some((section) => names[section].has(name));
  const checked = eachSection<Placed, Placed>(parts, (section, list) =>
    list.filter(({ part, origin }) => {
      const imports = origin.chain.map(({ id }) => id);
      const subject = `${nameOf(section, part)} (${section})`;
      let foreign = false;
      mapReferences(section, part, (reference) => {
        const { name, optional } = reference;
        if (!isKnown(reference) && !optional) {
          const message = `${subject} names ${name}, which no part is called.`;
          problems.push({ code: 'unknown_reference', imports, message });
        }
        const tool = reference.sections.includes('tools') ? names.tools.get(name) : undefined;
        if (tool !== undefined && ACTING.includes(section) && !isWithin(tool.origin.chain, origin.chain)) {
          foreign = true;
          const message = `${subject} acts on ${name}, a tool of another map. It is left out.`;
          problems.push({ code: 'foreign_reference', imports, message });
        }
        return name;
      });
      return !foreign;
    }),
  );
  return { parts: checked, problems };
}

function namesOf(parts: PlacedParts): Record<Section, ReadonlyMap<string, Placed>> {
  const byName = (section: Section) =>
    new Map<string, Placed>(parts[section].map((placed) => [nameOf(section, placed.part), placed]));
  return bySection(byName);
}
