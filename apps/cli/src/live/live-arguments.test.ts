import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { fileWith, SMALL } from '../../test/map/sample-maps.ts';
import { drawbridge } from '../../test/terminal.ts';

/** One of them loads all browser code, on a busy machine. */
const WRONG: readonly (readonly [string, string])[] = [
  ['browser --attach 9222', 'http://127.0.0.1:9222'],
  ['browser --lend shop', '--lend needs --attach'],
  ['browser --attach http://127.0.0.1:9222 --headless', 'do not work with --attach'],
  ['browser --port 99999', '--port takes a number'],
  ['browser --port x', '--port takes a number'],
  ['browser --profile ../other', '--profile takes a name'],
  ['browser --url shop', '"shop" is no address'],
  ['browser shop', 'Unexpected argument "shop".'],
  ['browser --headles', '--headles'],
  ['mcp --json', '--json'],
  ['mcp --profile a/b', '--profile takes a name'],
  ['map run', 'Give one FILE and one TOOL'],
  ['map run MAP', 'Give one FILE and one TOOL'],
  ['map run MAP a.b c', 'Give one FILE and one TOOL'],
  ['map run MAP a.b --args [1]', '--args takes a JSON object'],
  ['map run MAP a.b --args {', '--args takes a JSON object'],
  ['map run MAP a.b', 'Give the address with --url'],
  ['map check', 'Give one FILE'],
  ['map check MAP', 'Give the address with --url'],
  ['map record MAP', 'Give the first page with --url'],
  ['map record MAP --url http://127.0.0.1/ --name 1+1', '--name takes a name'],
];

test.each(WRONG)('drawbridge %s: exit code 2, and the reason', async (line, words) => {
  const args = line.split(' ').map((word) => (word === 'MAP' ? fileWith(SMALL) : word));
  const { code, errors, out } = await drawbridge(args);
  expect(errors).toContain(words);
  expect(errors).toContain('--help');
  expect({ code, out }).toEqual({ code: 2, out: [] });
});

describe.each(['map run', 'map check'])('drawbridge %s', (name) => {
  const more = name === 'map run' ? ['a.b'] : [];

  test('starts no browser for an invalid map', async () => {
    const file = fileWith('{"protocol":"actions.json","version":1}');
    const { code, errors } = await drawbridge([...name.split(' '), file, ...more]);
    expect(code).toBe(1);
    expect(errors).toContain('not valid');
    const json = await drawbridge([...name.split(' '), file, ...more, '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.text)).toMatchObject({ ok: false, code: 'invalid_map' });
  });

  test('names a missing file', async () => {
    const { code, errors } = await drawbridge([...name.split(' '), '/no/such/map.json', ...more]);
    expect(code).toBe(1);
    expect(errors).toContain('there is no such file');
  });
});

test('refuses a map at another origin', async () => {
  const file = fileWith(
    '{"protocol":"actions.json","version":1,"tools":[],"surface":{"origin":"https://shop.example"}}',
  );
  const { code, errors } = await drawbridge(['map', 'run', file, 'a.b', '--url', 'https://evil.example/']);
  expect(code).toBe(2);
  expect(errors).toContain('https://shop.example');
});

test('reports a missing map before a browser starts', async () => {
  const data = temporaryFolder();
  const { code, errors } = await drawbridge(['browser', '--data', data, '--map', '/no/such/map.json']);
  expect(errors).toBe('There is no map at /no/such/map.json.');
  expect(code).toBe(1);
});

test.each(['browser', 'mcp', 'map run', 'map check', 'map record'])(
  'the help of %s fits a terminal of 72 columns',
  async (name) => {
    const { code, text } = await drawbridge([...name.split(' '), '--help']);
    expect(code).toBe(0);
    expect(text.split('\n').filter((line) => line.length > 72)).toEqual([]);
    expect(text).toContain('Example:');
  },
);
