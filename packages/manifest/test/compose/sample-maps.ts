import { type Manifest, manifest } from '@drawbridge/protocol/manifest';
import type { Composed, ComposeOptions } from '../../src/compose/compose.ts';
import { compose } from '../../src/compose/compose.ts';
import type { LoadImport } from '../../src/compose/import-tree.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A minimal valid tool. */
export const tool = (name: string, fields: Fields = {}): Fields => ({
  name,
  description: `Does ${name}.`,
  input_schema: { type: 'object' },
  x_actions: { handler: 'page.run' },
  ...fields,
});

export const aMap = (fields: Fields = {}): Manifest =>
  manifest.read({ protocol: 'actions.json', version: 1, tools: [], ...fields });

/** A trusted import of the file with the same name. */
export const importOf = (id: string, fields: Fields = {}): Fields => ({
  id,
  kind: 'local',
  uri: `${id}.json`,
  trust: 'local',
  ...fields,
});

/** Loads from a table of uris; an unknown uri fails like a missing file. */
export const loadFrom =
  (files: Readonly<Record<string, unknown>>): LoadImport =>
  async ({ uri }) => {
    const file = files[uri];
    if (file === undefined) throw new Error(`ENOENT: /home/someone/secret/${uri}`);
    return typeof file === 'string' ? file : JSON.stringify(file);
  };

export const composeFrom = (
  root: Manifest,
  files: Readonly<Record<string, unknown>>,
  options: Partial<ComposeOptions> = {},
): Promise<Composed> => compose(root, { load: loadFrom(files), ...options });

export const namesOf = (parts: readonly { readonly name: string }[]): string[] =>
  parts.map(({ name }) => name);

export const codesOf = ({ problems }: Composed): string[] => problems.map(({ code }) => code);
