import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type MapChoice, type MapSource, trustOf } from '../maps/map-source.ts';
import { openMapFolder } from './map-folder.ts';

let root = '';
let open: MapSource[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'maps-'));
});
afterEach(() => {
  for (const source of open) source.close();
  open = [];
  rmSync(root, { recursive: true, force: true });
});

const mapWith = (tool: string, more: object = {}) => ({
  protocol: 'actions.json',
  version: 1,
  tools: [
    {
      name: tool,
      description: 'Does one thing.',
      input_schema: { type: 'object' },
      x_actions: { handler: 'site.handler' },
    },
  ],
  ...more,
});

function write(path: string, content: unknown): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

function folder(options: Parameters<typeof openMapFolder>[0] = { storage: { root } }): MapSource {
  const source = openMapFolder(options);
  open.push(source);
  return source;
}

const toolsOf = ({ offer }: MapChoice) => (offer.ready ? offer.map.tools.map(({ name }) => name) : undefined);
const changeOf = (source: MapSource) =>
  new Promise<void>((resolve) => {
    const stop = source.onChange(() => {
      stop();
      resolve();
    });
  });

const SITE = 'sites/shop.example/main/actions.json';

describe('choice of the map', () => {
  test('prefers private to public and the closest host, and lists both', async () => {
    write(`scopes/public/${SITE}`, mapWith('public.tool'));
    const url = 'https://shop.example/cart';
    expect(toolsOf(await folder().mapFor(url))).toEqual(['public.tool']);
    write(`scopes/private/${SITE}`, mapWith('private.tool'));
    const choice = await folder().mapFor(url);
    expect(toolsOf(choice)).toEqual(['private.tool']);
    expect(choice).toMatchObject({
      trust: 'private',
      address: `storage:private/${SITE}`,
      candidates: [`storage:private/${SITE}`, `storage:public/${SITE}`],
    });
  });

  test('prefers a named file, but only at its own origin', async () => {
    write(`scopes/private/${SITE}`, mapWith('stored.tool'));
    const file = write('mine.json', mapWith('my.tool', { surface: { origin: 'https://shop.example' } }));
    const source = folder({ files: [file], storage: { root } });
    expect(toolsOf(await source.mapFor('https://shop.example/'))).toEqual(['my.tool']);
    expect(toolsOf(await source.mapFor('https://shop.example.evil/'))).toEqual([]);
    expect(toolsOf(await source.mapFor('http://shop.example/'))).toEqual(['stored.tool']);
  });

  test('finds no map for a page without one, nor for an invalid address', async () => {
    write(`scopes/private/${SITE}`, mapWith('stored.tool'));
    for (const url of ['https://other.example/', 'about:blank', '']) {
      expect(await folder().mapFor(url)).toMatchObject({ offer: { ready: true }, candidates: [] });
    }
  });

  test('[BRG-120] lets an invalid map block others and report its problems', async () => {
    write(`scopes/private/${SITE}`, { ...mapWith('x.y'), version: 7 });
    write(`scopes/public/${SITE}`, mapWith('public.tool'));
    const choice = await folder().mapFor('https://shop.example/');
    expect(choice.offer).toMatchObject({ ready: false, errors: [{ pointer: '/version' }] });
  });
});

describe('imports', () => {
  test('are found beside the file, and their tools are trusted no more than the import', async () => {
    write('parts/other.json', mapWith('other.tool'));
    const imports = [{ id: 'other', kind: 'local', uri: 'parts/other.json', trust: 'public' }];
    const file = write('mine.json', mapWith('my.tool', { imports }));
    const choice = await folder({ files: [file] }).mapFor('https://shop.example/');
    expect(choice.problems).toEqual([]);
    expect(toolsOf(choice)).toEqual(['my.tool', 'other.other.tool']);
    expect(trustOf(choice, 'my.tool')).toBe('local');
    expect(trustOf(choice, 'other.other.tool')).toBe('public');
  });
});

describe('[BRG-121] scopes stay apart', () => {
  test('refuses a private import in a public map', async () => {
    write('scopes/private/sites/secret.example/main/actions.json', mapWith('secret.tool'));
    const imports = [
      { id: 'grab', kind: 'local', uri: '../../../../private/sites/secret.example/main/actions.json' },
      { id: 'take', kind: 'storage', uri: 'private/sites/secret.example/main/actions.json' },
    ];
    write(`scopes/public/${SITE}`, mapWith('public.tool', { imports }));
    const choice = await folder().mapFor('https://shop.example/');
    expect(toolsOf(choice)).toEqual(['public.tool']);
    expect(choice.problems).toHaveLength(2);
  });

  test('does not read a scope that is a symbolic link into another', async () => {
    write(`scopes/private/${SITE}`, mapWith('private.tool'));
    symlinkSync(join(root, 'scopes/private'), join(root, 'scopes/public'));
    const choice = await folder().mapFor('https://shop.example/');
    expect(choice.candidates).toEqual([`storage:private/${SITE}`]);
  });
});

describe('[BRG-108] applies an edited map without a restart', () => {
  test('from storage', async () => {
    write(`scopes/private/${SITE}`, mapWith('old.tool'));
    const source = folder();
    const changed = changeOf(source);
    write(`scopes/private/${SITE}`, mapWith('new.tool'));
    await changed;
    expect(toolsOf(await source.mapFor('https://shop.example/'))).toEqual(['new.tool']);
  });

  test('from a file, even when an editor replaces it', async () => {
    const file = write('mine.json', mapWith('old.tool'));
    const source = folder({ files: [file] });
    const changed = changeOf(source);
    rmSync(file);
    write('mine.json', mapWith('new.tool'));
    await changed;
    expect(toolsOf(await source.mapFor('https://shop.example/'))).toEqual(['new.tool']);
  });
});
