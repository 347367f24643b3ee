import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { validate } from '@drawbridge/manifest';
import type { Manifest } from '@drawbridge/protocol/manifest';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { CLICKS, fileWith } from '../../test/map/sample-maps.ts';
import { drawbridge } from '../../test/terminal.ts';
import { openRecordedFile } from './recorded-file.ts';

const recorded = (name: string): Manifest => ({
  protocol: 'actions.json',
  version: 1,
  surface: { origin: 'https://shop.example', name: 'Shop' },
  tools: [
    {
      name,
      description: 'Recorded.',
      input_schema: { type: 'object' },
      workflow: {
        version: 1,
        expression_language: 'jsonata',
        steps: [{ id: 'look', primitive: 'page.info', args: {} }],
      },
    },
  ],
});

const intent = { url: 'https://shop.example/', name: undefined, replace: undefined };

const toolsIn = (file: string): unknown => {
  const result = validate(readFileSync(file, 'utf8'));
  return result.ok ? result.map.tools.map(({ name, description }) => [name, description]) : result.errors;
};

describe('a recorded tool', () => {
  test('creates a map and its walk', async () => {
    const file = join(temporaryFolder(), 'new/actions.json');
    const target = await openRecordedFile(file, intent);
    const written = await target.write(recorded('search.open'), (tool) => `walk of ${tool}`);
    expect(written).toMatchObject({ tool: 'search.open', replaced: false });
    expect(toolsIn(file)).toEqual([['search.open', 'Recorded.']]);
    expect(readFileSync(join(dirname(file), 'search.open.walk.json'), 'utf8')).toBe('walk of search.open');
  });

  test('is added to a map, and overwrites nothing', async () => {
    const file = fileWith(CLICKS);
    const target = await openRecordedFile(file, intent);
    const { tool } = await target.write(recorded('door.open'), () => '');
    expect(tool).toBe('door.open_2');
    expect(toolsIn(file)).toEqual([
      ['door.open', 'Open the door.'],
      ['door.open_2', 'Recorded.'],
    ]);
  });

  test('replaces a tool of its name on request', async () => {
    const file = fileWith(CLICKS);
    const target = await openRecordedFile(file, { ...intent, name: 'door.open', replace: true });
    expect(await target.write(recorded('door.open'), () => '')).toMatchObject({ replaced: true });
    expect(toolsIn(file)).toEqual([['door.open', 'Recorded.']]);
  });
});

describe('reports problems before any work is done', () => {
  test.each([
    [CLICKS, ['--name', 'door.open'], 'has a tool door.open already', 2],
    ['{"protocol":"actions.json"}', [], 'not a valid map', 1],
    [
      '{"protocol":"actions.json","version":1,"tools":[],"surface":{"origin":"https://other.example"}}',
      [],
      'is the map of https://other.example',
      2,
    ],
  ] as const)('what stands in the way is said', async (text, more, words, exit) => {
    const file = fileWith(text);
    const { code, errors } = await drawbridge([
      'map',
      'record',
      file,
      '--url',
      'https://shop.example/',
      ...more,
    ]);
    expect(errors).toContain(words);
    expect(code).toBe(exit);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(existsSync(join(dirname(file), 'door.open.walk.json'))).toBe(false);
  });
});
