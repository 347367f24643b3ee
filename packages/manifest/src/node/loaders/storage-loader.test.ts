import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Import } from '@drawbridge/protocol/manifest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aMap, codesOf, importOf, namesOf, tool } from '../../../test/compose/sample-maps.ts';
import { compose } from '../../compose/compose.ts';
import { LoadRefusal } from '../../compose/problem.ts';
import { hostDistance } from './site-host.ts';
import { openStorage } from './storage-loader.ts';

let root = '';
const write = (path: string, text: string) => {
  const file = join(root, 'scopes', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const mapNamed = (name: string, imports: readonly object[] = []) =>
  JSON.stringify(aMap({ tools: [tool(name)], imports }));

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-storage-')));
  for (const scope of ['private', 'shared/team', 'shared/others', 'public']) {
    write(`${scope}/sites/shop.test/search/actions.json`, mapNamed(scope.replace('/', '.')));
    write(`${scope}/notes.txt`, `notes of ${scope}`);
  }
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const storage = () => openStorage({ root, audiences: ['team'] });

const codeOf = async (read: Promise<string>): Promise<string> => {
  try {
    return `read ${await read}`;
  } catch (error) {
    return error instanceof LoadRefusal ? error.code : `threw ${error}`;
  }
};

const stored = (uri: string, kind: Import['kind'] = 'storage'): Import => ({ id: 'a', kind, uri });
const in_ = (scope: string) => `storage:${scope}/sites/shop.test/search/actions.json`;
const SEARCH = 'sites/shop.test/search/actions.json';

describe('maps for a page', () => {
  test('[MAN-229] are in the order private, shared, public', async () => {
    const maps = await storage().mapsFor('shop.test');
    expect(maps.map(({ address }) => address)).toEqual([in_('private'), in_('shared/team'), in_('public')]);
    const texts = await Promise.all(maps.map(storage().read));
    expect(texts.map((text) => JSON.parse(text).tools[0].name)).toEqual(['private', 'shared.team', 'public']);
  });

  test('[MAN-229] have the closest host first within a scope, with all of its surfaces', async () => {
    write('private/sites/docs.shop.test/a/actions.json', mapNamed('a'));
    write('private/sites/docs.shop.test/proof/actions.json', mapNamed('recording'));
    write('private/sites/docs.shop.test/empty/readme.txt', 'no map here');
    write('private/sites/other.test/a/actions.json', mapNamed('b'));
    const maps = await storage().mapsFor('docs.shop.test');
    expect(maps.map(({ scope, host, surface }) => `${scope.kind} ${host} ${surface}`)).toEqual([
      'private docs.shop.test a',
      'private shop.test search',
      'shared shop.test search',
      'public shop.test search',
    ]);
  });

  test('a missing storage has none', async () => {
    expect(await openStorage({ root: join(root, 'nowhere') }).mapsFor('shop.test')).toEqual([]);
  });

  test.each<[string, string, number | undefined]>([
    ['shop.test', 'shop.test', 0],
    ['SHOP.test.', 'shop.test', 0],
    ['www.shop.test', 'shop.test', 1],
    ['shop.test', 'www.shop.test', 1],
    ['docs.shop.test', 'shop.test', 3],
    ['a.docs.shop.test', 'shop.test', 4],
    ['a.docs.shop.test', 'docs.shop.test', 3],
    ['evilshop.test', 'shop.test', undefined],
    ['shop.test', 'docs.shop.test', undefined],
    ['shop.test.evil.test', 'shop.test', undefined],
    ['shop.test', 'test', undefined],
    ['www.test', 'test', 1],
    ['127.0.0.1', '127.0.0.1', 0],
    ['127.0.0.1', '0.0.1', undefined],
    ['[::1]', '::1', 0],
    ['', 'shop.test', undefined],
    ['shop.test', '', undefined],
  ])('host %j against folder %j', (page, folder, distance) => {
    expect(hostDistance(page, folder)).toBe(distance);
  });
});

describe('scopes stay apart', () => {
  test.each<[string, string, boolean]>([
    ['private', 'private', true],
    ['private', 'shared/team', true],
    ['private', 'public', true],
    ['shared/team', 'shared/team', true],
    ['shared/team', 'public', true],
    ['shared/team', 'private', false],
    ['shared/team', 'shared/others', false],
    ['public', 'public', true],
    ['public', 'shared/team', false],
    ['public', 'private', false],
    ['private', 'shared/others', false],
  ])('[MAN-228] a map of %s importing from %s', async (from, to, allowed) => {
    const code = await codeOf(storage().load(stored(`${to}/${SEARCH}`), in_(from)));
    expect(code.startsWith('read') ? 'read' : code).toBe(allowed ? 'read' : 'scope_refused');
  });

  test("[MAN-228] one audience does not see another's maps, though a person is in both", async () => {
    const { load } = openStorage({ root, audiences: ['team', 'others'] });
    const others = stored(`shared/others/${SEARCH}`);
    expect(await codeOf(load(others, in_('shared/team')))).toBe('scope_refused');
    expect(await codeOf(load(others, in_('private')))).toContain('"shared.others"');
  });

  test('[MAN-228] a public map gets the same error whether or not a private map exists', async () => {
    const there = await storage()
      .load(stored(`private/${SEARCH}`), in_('public'))
      .catch(String);
    const gone = await storage()
      .load(stored('private/sites/gone.test/a/actions.json'), in_('public'))
      .catch(String);
    expect(there).toBe(gone);
  });

  test('[MAN-228] a map from the web sees only public maps, and a local one counts as private', async () => {
    const from = 'https://shop.test/actions.json';
    expect(await codeOf(storage().load(stored(`private/${SEARCH}`), from))).toBe('scope_refused');
    expect(await codeOf(storage().load(stored(SEARCH), from))).toContain('"public"');
    expect(await codeOf(storage().load(stored(SEARCH), 'local:actions.json'))).toContain('"private"');
  });

  test('[MAN-228] a path without a scope is in the scope of its map', async () => {
    for (const scope of ['private', 'shared/team', 'public']) {
      expect(await codeOf(storage().load(stored(SEARCH), in_(scope)))).toContain(
        `"${scope.replace('/', '.')}"`,
      );
    }
  });

  test('[MAN-228] an import of kind shared or public is in that scope', async () => {
    const load = (uri: string, kind: Import['kind']) => codeOf(storage().load(stored(uri, kind), 'local:a'));
    expect(await load(`team/${SEARCH}`, 'shared')).toContain('"shared.team"');
    expect(await load(SEARCH, 'public')).toContain('"public"');
    expect(await load(`private/${SEARCH}`, 'public')).toBe('wrong_scope');
    expect(await load(`public/${SEARCH}`, 'shared')).toBe('wrong_scope');
  });

  test('[MAN-228] links from one scope into another are not followed', async () => {
    symlinkSync('../private/notes.txt', join(root, 'scopes/public/stolen.txt'));
    symlinkSync('../../private/sites/shop.test', join(root, 'scopes/public/sites/linked.test'));
    const public_ = (path: string) => codeOf(storage().load(stored(`public/${path}`), 'local:a'));
    expect(await public_('stolen.txt')).toBe('outside_root');
    expect(await public_('sites/linked.test/search/actions.json')).toBe('outside_root');
    expect(await storage().mapsFor('linked.test')).toEqual([]);
  });

  test('[MAN-228] a scope that is itself a link is not followed', async () => {
    renameSync(join(root, 'scopes/public'), join(root, 'scopes/was-public'));
    symlinkSync('private', join(root, 'scopes/public'));
    expect(await codeOf(storage().load(stored(`public/${SEARCH}`), 'local:a'))).toBe('outside_root');
    expect((await storage().mapsFor('shop.test')).map(({ scope }) => scope.kind)).toEqual([
      'private',
      'shared',
    ]);
  });

  test.each([
    '',
    'private',
    'private/',
    'private/../public/notes.txt',
    'public/../private/notes.txt',
    'public/./../private/notes.txt',
    'shared/../private/notes.txt',
    'shared/team/../../private/notes.txt',
    'shared/./notes.txt',
    'shared//notes.txt',
    'shared/team',
    '/private/notes.txt',
    'public/%2e%2e/private/notes.txt',
    'public\\..\\private\\notes.txt',
    'public/notes.txt\u0000',
    'public/sites/shop.test/proof/actions.json',
  ])('[MAN-228] %j leads nowhere, even for a private map', async (uri) => {
    expect(await codeOf(storage().load(stored(uri), in_('public')))).not.toContain('notes of');
    expect(await codeOf(storage().load(stored(uri), in_('private')))).not.toContain('read');
  });

  test('[MAN-213] a file beside a stored map is read only inside its scope', async () => {
    const map = (await storage().mapsFor('shop.test')).at(-1);
    if (map === undefined) throw new Error('There is a public map.');
    expect(await codeOf(storage().readBeside(map, 'notes.txt'))).toBe('read notes of public');
    expect(await codeOf(storage().readBeside(map, '../private/notes.txt'))).toBe('unsafe_path');
  });

  test('[MAN-228] composing a public map adds nothing private, and its errors reveal nothing of it', async () => {
    write(
      'public/sites/shop.test/cart/actions.json',
      mapNamed('cart', [importOf('steal', { kind: 'storage', uri: `private/${SEARCH}` })]),
    );
    const rootMap = aMap({
      imports: [
        importOf('cart', { kind: 'public', uri: 'sites/shop.test/cart/actions.json', trust: 'public' }),
      ],
    });
    const composed = await compose(rootMap, { load: storage().load });
    expect(namesOf(composed.tools)).toEqual(['cart.cart']);
    expect(codesOf(composed)).toEqual(['import_refused']);
    expect(JSON.stringify(composed.problems)).not.toContain('private');
  });
});
