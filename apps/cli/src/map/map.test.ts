import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { main } from '../main.ts';

/** Runs the command as a shell would, and gives what it printed. */
async function drawbridge(args: readonly string[], input = '', colour = false) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await main(args, {
    stdin: Readable.from([input]),
    print: (line) => out.push(line),
    printError: (line) => errors.push(line),
    colour,
  });
  return { code, out, text: out.join('\n'), errors: errors.join('\n') };
}

/** A file with this text, in a folder of its own. */
function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'map-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'actions.json');
  writeFileSync(file, text);
  return file;
}

const SMALL = '{"protocol":"actions.json","version":1,"tools":[]}';

const BROKEN = `{
  "protocol": "actions.json",
  "version": 1,
  "tools": [],
  "surface": { "name": "A shop with a very long name that no terminal of a phone could ever show", "kind": 7 },
  "transitions": [{ "name": "open", "from": "closed", "tool": "door.open" }]
}`;

const DRAFT = '{"protocol":"actions.json","version":"0.1.0-working","tools":[],"skill":"SKILL.md"}';

const CLICKS = JSON.stringify({
  protocol: 'actions.json',
  version: 1,
  tools: [
    {
      name: 'door.open',
      description: 'Open the door.',
      input_schema: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
      workflow: {
        version: 1,
        expression_language: 'jsonata',
        steps: [{ id: 'press', primitive: 'pointer.click', args: { x: 10, y: 20 } }],
      },
    },
  ],
});

describe('map validate', () => {
  test('a valid map is said to be valid', async () => {
    const file = fileWith(SMALL);
    expect(await drawbridge(['map', 'validate', file])).toMatchObject({ code: 0, out: [`${file}: valid`] });
  });

  test('the errors of a map are shown with their lines, in order, on narrow lines', async () => {
    const file = fileWith(BROKEN);
    const { code, out } = await drawbridge(['map', 'validate', file]);
    expect(code).toBe(1);
    expect(out).toEqual([
      `${file}: not valid, 2 errors, 1 warning`,
      '',
      'error 5:108 wrong_value',
      '  surface.kind must be a string of at most 4096 characters;',
      '  got 7.',
      '  5 | …o terminal of a phone could ever show", "kind": 7 },',
      '    |                                                  ^',
      '',
      'error 6:45 unknown_state',
      '  transition `open`: from names the state `closed`, which',
      '  the map does not declare.',
      expect.stringMatching(/^ {2}6 \| .*"from": "closed"/),
      expect.stringMatching(/^ {4}\| +\^$/),
      '',
      'warning 6:63 undeclared_reference',
      '  transition `open`: tool names the tool `door.open`, which',
      '  the map does not declare.',
      expect.stringMatching(/^ {2}6 \| .*"tool": "door.open"/),
      expect.stringMatching(/^ {4}\| +\^$/),
      '',
    ]);
    for (const line of out.slice(1)) expect(line.length).toBeLessThanOrEqual(60);
    const [quoted = '', caret = ''] = out.slice(11, 13);
    expect(quoted.slice(caret.indexOf('^'))).toMatch(/^"closed"/);
  });

  test('--json prints one line a file, with exactly the fields that other programs know', async () => {
    const [good, bad] = [fileWith(SMALL), fileWith(BROKEN)];
    const { code, out } = await drawbridge(['map', 'validate', good, bad, '--json']);
    expect(code).toBe(1);
    expect(out.map((line) => JSON.parse(line))).toEqual([
      { file: good, ok: true, errors: [], warnings: [] },
      {
        file: bad,
        ok: false,
        errors: [
          {
            code: 'wrong_value',
            pointer: '/surface/kind',
            line: 5,
            column: 108,
            message: expect.any(String),
          },
          {
            code: 'unknown_state',
            pointer: '/transitions/0/from',
            line: 6,
            column: 45,
            message: expect.any(String),
          },
        ],
        warnings: [
          {
            code: 'undeclared_reference',
            pointer: '/transitions/0/tool',
            line: 6,
            column: 63,
            message: expect.any(String),
          },
        ],
      },
    ]);
  });

  test('a map comes from standard input too', async () =>
    expect(await drawbridge(['map', 'validate', '-', '--json'], SMALL)).toMatchObject({
      code: 0,
      out: ['{"file":"-","ok":true,"errors":[],"warnings":[]}'],
    }));

  test('a file that is not there fails, and the others are still read', async () => {
    const { code, out } = await drawbridge(['map', 'validate', 'none.json', fileWith(SMALL), '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out[0] ?? '')).toMatchObject({
      file: 'none.json',
      ok: false,
      errors: [{ code: 'unreadable_file' }],
    });
    expect(JSON.parse(out[1] ?? '')).toMatchObject({ ok: true });
    expect(await drawbridge(['map', 'validate', 'none.json'])).toMatchObject({
      code: 1,
      errors: 'Could not read none.json: there is no such file.',
    });
  });

  test('with a dictionary, primitives that it lacks are errors', async () => {
    const dictionary = fileWith('{"primitives":[{"name":"page.info"}]}');
    const { code, text } = await drawbridge([
      'map',
      'validate',
      fileWith(CLICKS),
      '--dictionary',
      dictionary,
    ]);
    expect(code).toBe(1);
    expect(text).toContain('unknown_primitive');
    expect(
      await drawbridge(['map', 'validate', fileWith(SMALL), '--dictionary', fileWith('[]')]),
    ).toMatchObject({
      code: 1,
      errors: expect.stringContaining('not a dictionary of primitives'),
    });
  });

  test('colours are for terminals only', async () => {
    const file = fileWith(BROKEN);
    expect((await drawbridge(['map', 'validate', file])).text).not.toContain('\u001b');
    expect((await drawbridge(['map', 'validate', file], '', true)).text).toContain('\u001b[31merror');
  });
});

describe('map lint', () => {
  test('findings are shown with their severity, and major ones fail', async () => {
    const { code, text } = await drawbridge(['map', 'lint', fileWith(CLICKS)]);
    expect(code).toBe(1);
    expect(text).toMatch(/^major 1:\d+ brittle_viewport_geometry$/m);
  });

  test.each([
    ['critical', 0],
    ['major', 1],
    ['info', 1],
    ['never', 0],
  ])('--fail-on %s', async (severity, code) => {
    expect(await drawbridge(['map', 'lint', fileWith(CLICKS), '--fail-on', severity])).toMatchObject({
      code,
    });
  });

  test('--json prints one line a file', async () => {
    const { out } = await drawbridge(['map', 'lint', fileWith(CLICKS), '--json']);
    const line = JSON.parse(out[0] ?? '');
    expect(line).toMatchObject({ ok: false, errors: [], warnings: [] });
    expect(line.findings).toContainEqual({
      code: 'brittle_viewport_geometry',
      severity: 'major',
      pointer: '/tools/0/workflow/steps/0/args',
      line: 1,
      column: expect.any(Number),
      message: expect.any(String),
    });
  });

  test('a clean map has nothing to say, and an invalid one fails', async () => {
    const file = fileWith(SMALL);
    expect(await drawbridge(['map', 'lint', file])).toMatchObject({
      code: 0,
      out: [`${file}: nothing to say`],
    });
    expect(await drawbridge(['map', 'lint', fileWith(BROKEN), '--fail-on', 'never'])).toMatchObject({
      code: 1,
    });
    expect(await drawbridge(['map', 'lint', 'none.json'])).toMatchObject({ code: 1 });
  });
});

describe('map migrate', () => {
  test('tells what it would change, and writes nothing', async () => {
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

  test('--write writes it back, and a second time there is nothing to do', async () => {
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

  test('-o writes elsewhere, and - prints the map alone', async () => {
    const [file, other] = [fileWith(DRAFT), fileWith('')];
    await drawbridge(['map', 'migrate', file, '-o', other]);
    expect(JSON.parse(readFileSync(other, 'utf8'))).toMatchObject({ version: 1 });
    const { text, errors } = await drawbridge(['map', 'migrate', file, '-o', '-']);
    expect(JSON.parse(text)).toMatchObject({ version: 1 });
    expect(errors).toContain('2 changes');
  });

  test('--json gives the changes, the map and what remains', async () => {
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

  test('a map that is not valid has neither', async () => {
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

  test('map --help lists the map commands alone', async () => {
    const { code, text } = await drawbridge(['map', '--help']);
    expect(code).toBe(0);
    expect(text).toContain('map lint');
    expect(text).not.toContain('wire check');
  });
});
