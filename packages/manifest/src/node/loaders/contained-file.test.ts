import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import type { Import } from '@drawbridge/protocol/manifest';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aMap, importOf, namesOf, tool } from '../../../test/compose/sample-maps.ts';
import { HOSTILE_PATHS } from '../../../test/node/loaders/hostile-paths.ts';
import { compose } from '../../compose/compose.ts';
import { LoadRefusal } from '../../compose/problem.ts';
import { readContained } from './contained-file.ts';
import { createLocalLoader } from './local-loader.ts';
import { pathProblem } from './path-problem.ts';

const SECRET = 'the secret outside';
let folder = '';
let root = '';

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-files-')));
  root = join(folder, 'root');
  for (const name of ['root/maps', 'outside', 'root-twin'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['secret.json', 'outside/secret.json', 'root-twin/secret.json']) {
    writeFileSync(join(folder, name), SECRET);
  }
  writeFileSync(join(root, 'good.json'), '"good"');
  writeFileSync(join(root, 'maps/inner.json'), '"inner"');
  symlinkSync('../secret.json', join(root, 'link.json'));
  symlinkSync('../outside', join(root, 'linked'));
  symlinkSync('ring.json', join(root, 'ring.json'));
  symlinkSync('link.json', join(root, 'chain.json'));
  symlinkSync('../../secret.json', join(root, 'maps/up.json'));
  symlinkSync('gone.json', join(root, 'dangling.json'));
  symlinkSync('maps/inner.json', join(root, 'within.json'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const local = (uri: string): Import => ({ id: 'a', kind: 'local', uri, trust: 'local' });

const codeOf = async (read: Promise<string>): Promise<string> => {
  try {
    return `read ${await read}`;
  } catch (error) {
    return error instanceof LoadRefusal ? error.code : `threw ${error}`;
  }
};

describe('files inside a root', () => {
  test('[MAN-122] are read, also through a link that stays inside', async () => {
    expect(await codeOf(readContained(root, 'good.json'))).toBe('read "good"');
    expect(await codeOf(readContained(root, 'maps/inner.json'))).toBe('read "inner"');
    expect(await codeOf(readContained(root, 'within.json'))).toBe('read "inner"');
  });

  test('[MAN-122] no hostile path is read, directly or as an import', async () => {
    expect(new Set(HOSTILE_PATHS).size).toBeGreaterThanOrEqual(200);
    const load = createLocalLoader({ root });
    const known = ['unsafe_path', 'outside_root', 'not_found', 'not_a_file'];
    const wrong: unknown[] = [];
    for (const path of HOSTILE_PATHS) {
      const direct = await codeOf(readContained(root, path));
      const imported = await codeOf(load(local(path), 'local:actions.json'));
      const nested = await codeOf(load(local(path), 'local:maps/actions.json'));
      for (const code of [direct, imported, nested]) if (!known.includes(code)) wrong.push([path, code]);
    }
    expect(wrong).toEqual([]);
  });

  test("[MAN-122] a folder whose name starts with the root's name is outside", async () => {
    const load = createLocalLoader({ root });
    expect(await codeOf(load(local('../root-twin/secret.json'), 'local:actions.json'))).toBe('outside_root');
    symlinkSync('../root-twin', join(root, 'twin'));
    expect(await codeOf(readContained(root, 'twin/secret.json'))).toBe('outside_root');
  });

  test('[MAN-122] no random path reads a file outside', async () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '',
      'maps',
      'linked',
      'link.json',
      'secret.json',
      'outside',
      '\\',
      '%2e',
      '\u0000',
      '~',
      'C:',
    );
    const path = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join('/'));
    const load = createLocalLoader({ root });
    const property = fc.asyncProperty(path, async (uri) => {
      expect(await codeOf(readContained(root, uri))).not.toContain(SECRET);
      expect(await codeOf(load(local(uri), 'local:maps/actions.json'))).not.toContain(SECRET);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  test('a refusal names neither the root nor its content', async () => {
    for (const path of HOSTILE_PATHS) {
      const refusal = await readContained(root, path).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(LoadRefusal);
      expect(String(refusal)).not.toContain(folder);
      expect(String(refusal)).not.toContain(SECRET);
    }
  });

  test('a file over the limit, a binary file and a pipe are refused', async () => {
    writeFileSync(join(root, 'eleven.json'), 'x'.repeat(11));
    writeFileSync(join(root, 'bytes.json'), Buffer.from([0xff, 0xfe, 0x00]));
    execFileSync('mkfifo', [join(root, 'pipe.json')]);
    expect(await codeOf(readContained(root, 'eleven.json', 10))).toBe('too_large');
    expect(await codeOf(readContained(root, 'eleven.json', 11))).toBe(`read ${'x'.repeat(11)}`);
    expect(await codeOf(readContained(root, 'bytes.json'))).toBe('not_text');
    expect(await codeOf(readContained(root, 'pipe.json'))).toBe('not_a_file');
  });

  test("[MAN-213] a file in an attachment's opens is read only inside the root of the map", async () => {
    mkdirSync(join(root, 'overlays'), { recursive: true });
    writeFileSync(join(root, 'overlays/categories.html'), '<p>Tea</p>');
    expect(await readContained(root, 'overlays/categories.html')).toBe('<p>Tea</p>');
    for (const html_source of ['../secret.json', '/etc/passwd', 'link.json', 'overlays/../../secret.json']) {
      expect(await codeOf(readContained(root, html_source))).not.toContain('read');
    }
  });
});

describe('imports of local files', () => {
  test('are relative to the importing map, and may go up as far as the root', async () => {
    const load = createLocalLoader({ root });
    expect(await codeOf(load(local('inner.json'), 'local:maps/actions.json'))).toBe('read "inner"');
    expect(await codeOf(load(local('../good.json'), 'local:maps/actions.json'))).toBe('read "good"');
    expect(await codeOf(load(local('./good.json'), 'local:actions.json'))).toBe('read "good"');
    expect(await codeOf(load(local('inner.json'), 'local:actions.json'))).toBe('not_found');
  });

  test('[MAN-228] only a local map may import one', async () => {
    const load = createLocalLoader({ root });
    for (const from of [
      'https://shop.test/actions.json',
      'storage:public/sites/a.test/b/actions.json',
      'package:a',
    ]) {
      expect(await codeOf(load(local('good.json'), from))).toBe('local_from_elsewhere');
    }
  });

  test('compose reads a tree of files', async () => {
    const files = {
      'a.json': aMap({ tools: [tool('a')], imports: [importOf('b', { uri: 'sub/b.json' })] }),
      'sub/b.json': aMap({ tools: [tool('b')], imports: [importOf('c', { uri: '../c.json' })] }),
      'c.json': aMap({ tools: [tool('c')] }),
    };
    mkdirSync(join(root, 'sub'), { recursive: true });
    for (const [path, map] of Object.entries(files)) writeFileSync(join(root, path), JSON.stringify(map));
    const composed = await compose(files['a.json'], {
      load: createLocalLoader({ root }),
      address: 'local:a.json',
    });
    expect(composed.problems).toEqual([]);
    expect(namesOf(composed.tools)).toEqual(['a', 'b.b', 'b.c.c']);
  });
});

test.each([
  'a.json',
  'maps/a.json',
  'sites/www.example.com/search/actions.json',
  'a b.json',
  '.hidden/a',
  'console.json',
])('%j is a plain path', (path) => {
  expect(pathProblem(path)).toBeUndefined();
});

test('[MAN-122] a path without a problem stays below its folder on POSIX and on Windows', () => {
  const piece = fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    ':',
    'C',
    'a',
    ' ',
    '~',
    'nul',
    'con',
    '\u0000',
    '%2e',
    '$',
  );
  const path = fc.oneof(
    fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join('')),
    fc.constantFrom(...HOSTILE_PATHS),
  );
  fc.assert(
    fc.property(path, (any) => {
      fc.pre(pathProblem(any) === undefined);
      expect(posix.resolve('/root/maps', any).startsWith('/root/maps/')).toBe(true);
      expect(win32.resolve('C:\\root\\maps', any).startsWith('C:\\root\\maps\\')).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['nul', 'names a device'],
  ['maps/COM1.json', 'names a device'],
  ['maps./a.json', 'has a part that ends with a dot or a space'],
  ['a.json ', 'has a part that ends with a dot or a space'],
  ['a.json::$DATA', 'has a colon, as a drive, a stream or a url does'],
  ['maps\\a.json', 'has a backslash'],
  ['a\u0000.json', 'has a control character'],
  ['maps/../a.json', 'has a part that is only dots'],
])('%j has a fault on every system: it %s', (path, fault) => {
  expect(pathProblem(path)).toBe(fault);
});
