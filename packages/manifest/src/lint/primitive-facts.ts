import { PRIMITIVES } from '@drawbridge/protocol/primitives';

/** What lint needs to know about the primitives: which change the page, which look at it, what they give. */
const namesOf = (fits: (primitive: (typeof PRIMITIVES)[number]) => boolean): ReadonlySet<string> =>
  new Set(PRIMITIVES.filter(fits).map(({ name }) => name));

export const CHANGES_PAGE = namesOf(({ mutates }) => mutates);

/** By coordinates, which are good for one moment only. */
export const POINTS_AT_PAGE = namesOf(({ name, mutates }) => mutates && name.startsWith('pointer.'));

export const INSERTS_TEXT = namesOf(({ name, mutates }) => mutates && name.startsWith('text.'));

export const READS_PAGE = namesOf(
  ({ name, effect }) => effect === 'read' && /^(?:locator|dom|page)\./.test(name) && name !== 'page.info',
);

/** The fields of an output, where the dictionary closes them. */
export const OUTPUT_FIELDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  PRIMITIVES.filter(({ output_schema }) => 'additionalProperties' in output_schema).map(
    ({ name, output_schema }) => [name, Object.keys(output_schema.properties)],
  ),
);
