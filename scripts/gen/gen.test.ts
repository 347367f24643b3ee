import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOG, FIELD_NOTES } from '@drawbridge/protocol/catalog';
import { describe, expect, test } from 'vitest';
import { GENERATED_FOLDERS, generateAll } from './all.ts';
import { fieldsOf, noteKeysOf } from './field-table.ts';
import { readInputs } from './inputs.ts';
import { anchorOf } from './markdown.ts';
import { messagesOf } from './messages.ts';
import { REFERENCE_PAGES, type ReferencePage } from './reference-pages.ts';
import { shapesOf } from './shapes.ts';

const root = join(import.meta.dirname, '../..');
const inputs = readInputs(root);
const files = await generateAll(inputs);
const textAt = new Map(files.map(({ path, text }) => [path, text]));

const headingsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

test('generating twice gives the same files', async () => {
  expect(await generateAll(inputs)).toEqual(files);
});

test('each file has a unique path in a generated folder', () => {
  expect(textAt.size).toBe(files.length);
  const isInside = (path: string): boolean =>
    GENERATED_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
  expect(files.map(({ path }) => path).filter((path) => !isInside(path))).toEqual([]);
});

test('each protocol of the catalog is on one page of the reference', () => {
  const protocols = REFERENCE_PAGES.flatMap(({ parts }) => parts.map(({ protocol }) => protocol));
  expect(protocols.toSorted()).toEqual(Object.keys(CATALOG).toSorted());
});

describe.each(REFERENCE_PAGES)('the page on $family', (reference) => {
  const text = textAt.get(`docs/reference/messages/${reference.family}.md`) ?? '';
  const kinds = reference.parts.flatMap(({ protocol }) => Object.keys(CATALOG[protocol]));

  test.each(kinds)('has a section on %s', (kind) => {
    expect(headingsIn(text)).toContain(`\`${kind}\``);
  });

  test('has a field for every note', () => {
    const places = new Set(placesOf(reference));
    expect(Object.keys(FIELD_NOTES[reference.family]).filter((key) => !places.has(key))).toEqual([]);
  });
});

/** Every key that a note on a field of this page may have. */
function placesOf({ family, parts }: ReferencePage): readonly string[] {
  const shapes = shapesOf(family);
  const messages = parts.flatMap(({ protocol }) => messagesOf(protocol));
  const owners = [...messages.map(({ kind, node }) => ({ name: kind, node })), ...shapes];
  return owners.flatMap(({ name, node }) =>
    fieldsOf(node, shapes).flatMap(({ path }) => noteKeysOf(name, path)),
  );
}

const pages = files.filter(({ path }) => path.endsWith('.md'));

describe.each(pages)('$path', ({ path, text }) => {
  test('says that it is generated', () => {
    expect(text).toMatch(/^<!-- Generated .* Do not edit\. -->\n\n# /);
  });

  test('has no broken links', () => {
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !leadsSomewhere(path, target))).toEqual([]);
  });
});

function leadsSomewhere(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? from : join(from, '..', file);
  const text = textAt.get(path);
  if (text === undefined) return existsSync(join(root, path));
  return anchor === undefined || headingsIn(text).map(anchorOf).includes(anchor);
}
