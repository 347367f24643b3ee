import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BROKEN, CLICKS, DRAFT, fileWith } from '../../test/map/sample-maps.ts';
import { drawbridge } from '../../test/terminal.ts';

describe('map migrate', () => {
  test('shows changes, and writes nothing', async () => {
    const file = fileWith(DRAFT);
    const { code, out } = await drawbridge(['map', 'migrate', file]);
    expect(code).toBe(0);
    expect(out.slice(0, 5)).toEqual([
      `${file}: 2 changes`,
      '',
      '~ /version',
      '    "0.1.0-working" becomes 1, and stays as x_version',
      '    (the version of the format is the number 1; drafts of it',
    ]);
    expect(out.at(-1)).toBe(`  drawbridge map migrate ${file} --write`);
    expect(readFileSync(file, 'utf8')).toBe(DRAFT);
  });

  test('--write writes the file, and a second run changes nothing', async () => {
    const file = fileWith(DRAFT);
    expect((await drawbridge(['map', 'migrate', file, '--write'])).text).toContain(`Written to ${file}.`);
    const written = readFileSync(file, 'utf8');
    expect(JSON.parse(written)).toEqual({
      protocol: 'actions.json',
      version: 1,
      tools: [],
      x_skill: 'SKILL.md',
      x_version: '0.1.0-working',
    });
    expect((await drawbridge(['map', 'migrate', file, '--write'])).text).toContain('nothing to migrate');
    expect(readFileSync(file, 'utf8')).toBe(written);
  });

  test('-o writes elsewhere, and - prints only the map', async () => {
    const [file, other] = [fileWith(DRAFT), fileWith('')];
    await drawbridge(['map', 'migrate', file, '-o', other]);
    expect(JSON.parse(readFileSync(other, 'utf8'))).toMatchObject({ version: 1 });
    const { text, errors } = await drawbridge(['map', 'migrate', file, '-o', '-']);
    expect(JSON.parse(text)).toMatchObject({ version: 1 });
    expect(errors).toContain('2 changes');
  });

  test('[MAN-245] refuses an unknown argument as map validate does, also between two attempts', async () => {
    const scroll = { primitive: 'viewport.scroll', args: { delta_z: 1 } };
    const retry = { retry_until: '{% false %}', max_attempts: 2, after_each: scroll };
    const steps = [{ id: 'down', ...scroll, ...retry }];
    const workflow = { version: 1, expression_language: 'jsonata', steps };
    const tools = [{ name: 'down', description: 'Scroll.', input_schema: {}, workflow }];
    const map = JSON.stringify({ protocol: 'actions.json', version: '0.1', tools });
    const { code, out } = await drawbridge(['map', 'migrate', '-', '--json'], map);
    expect(code).toBe(1);
    const at = '/tools/0/workflow/steps/0';
    expect(JSON.parse(out[0] ?? '').errors).toMatchObject([
      { code: 'unknown_field', pointer: `${at}/args/delta_z` },
      { code: 'unknown_field', pointer: `${at}/after_each/args/delta_z` },
    ]);
  });

  test('--json has the changes, the map and remaining problems', async () => {
    const { code, out } = await drawbridge(['map', 'migrate', '-', '--json'], '{"version":2,"skill":1}');
    expect(code).toBe(1);
    const line = JSON.parse(out[0] ?? '');
    expect(line).toMatchObject({
      file: '-',
      ok: false,
      errors: [{ code: 'unsupported_version', pointer: '/version' }],
    });
    expect(line.changes[0]).toEqual({
      pointer: '/protocol',
      what: expect.any(String),
      why: expect.any(String),
    });
    expect(JSON.parse(line.map)).toEqual({ protocol: 'actions.json', version: 2, x_skill: 1, tools: [] });
  });
});

describe('map docs and map types', () => {
  test('print a page and types', async () => {
    const file = fileWith(CLICKS);
    expect((await drawbridge(['map', 'docs', file])).text).toContain('### `door.open`');
    expect((await drawbridge(['map', 'types', file])).text).toContain(
      'export type DoorOpenInput = {\n  readonly key: string;\n};',
    );
  });

  test('write to a file, or print JSON', async () => {
    const [file, other] = [fileWith(CLICKS), fileWith('')];
    expect(await drawbridge(['map', 'docs', file, '-o', other])).toMatchObject({
      code: 0,
      out: [`Written to ${other}.`],
    });
    expect(readFileSync(other, 'utf8')).toContain('### `door.open`');
    const { out } = await drawbridge(['map', 'types', file, '--json']);
    expect(JSON.parse(out[0] ?? '')).toEqual({
      file,
      ok: true,
      text: expect.stringContaining('DoorOpenInput'),
    });
  });

  test('refuse an invalid map', async () => {
    expect(await drawbridge(['map', 'docs', fileWith(BROKEN)])).toMatchObject({ code: 1, out: [] });
    const { code, out } = await drawbridge(['map', 'types', fileWith(BROKEN), '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out[0] ?? '')).toMatchObject({
      ok: false,
      errors: [{ code: 'wrong_value' }, { code: 'unknown_state' }],
    });
  });
});

describe('usage', () => {
  test.each([
    [['map', 'validate'], 'Which map?'],
    [['map', 'validate', 'a.json', '--loud'], "Unknown option '--loud'"],
    [['map', 'lint', 'a.json', '--fail-on', 'loud'], '--fail-on is one of'],
    [['map', 'migrate', 'a.json', '--write', '-o', 'b.json'], 'not both'],
    [['map', 'migrate', 'a.json', 'b.json', '-o', 'c.json'], 'Give one FILE'],
    [['map', 'docs', 'a.json', 'b.json'], 'Give one FILE'],
    [['map'], 'There is no command "map".'],
    [['map', 'valdate'], 'There is no command "map valdate".'],
  ])('%j is wrong usage', async (args, complaint) => {
    const { code, errors } = await drawbridge(args);
    expect(code).toBe(2);
    expect(errors).toContain(complaint);
  });

  test.each(['validate', 'lint', 'migrate', 'docs', 'types'])(
    'map %s --help explains, on narrow lines',
    async (name) => {
      const { code, text } = await drawbridge(['map', name, '--help']);
      expect(code).toBe(0);
      expect(text).toContain(`drawbridge map ${name} FILE`);
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(70);
    },
  );

  test('map --help lists only the map commands', async () => {
    const { code, text } = await drawbridge(['map', '--help']);
    expect(code).toBe(0);
    expect(text).toContain('map lint');
    expect(text).not.toContain('wire check');
  });
});
