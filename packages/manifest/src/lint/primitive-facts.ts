import { PRIMITIVES } from '@drawbridge/protocol/primitives';

const namesOf = (fits: (primitive: (typeof PRIMITIVES)[number]) => boolean): ReadonlySet<string> =>
  new Set(PRIMITIVES.filter(fits).map(({ name }) => name));

export const CHANGES_PAGE = namesOf(({ mutates }) => mutates);

/** Everything but reading; overlays are not part of the page. */
export const ACTS_ON_PAGE = namesOf(({ name, effect }) => effect === 'act' && !name.startsWith('overlay.'));

/** Acts at coordinates, which are valid for one moment only. */
export const POINTS_AT_PAGE = namesOf(({ name, mutates }) => mutates && name.startsWith('pointer.'));

export const INSERTS_TEXT = namesOf(({ name, mutates }) => mutates && name.startsWith('text.'));

export const READS_PAGE = namesOf(
  ({ name, effect }) => effect === 'read' && /^(?:locator|dom|page)\./.test(name) && name !== 'page.info',
);

/** Output fields of the primitives with a closed output schema. */
export const OUTPUT_FIELDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  PRIMITIVES.filter(({ output_schema }) => 'additionalProperties' in output_schema).map(
    ({ name, output_schema }) => [name, Object.keys(output_schema.properties)],
  ),
);
