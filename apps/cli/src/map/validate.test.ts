import { describe, expect, test } from 'vitest';
import { BROKEN, CLICKS, fileWith, SMALL } from '../../test/map/sample-maps.ts';
import { drawbridge } from '../../test/terminal.ts';

describe('map validate', () => {
  test('reports a valid map', async () => {
    const file = fileWith(SMALL);
    expect(await drawbridge(['map', 'validate', file])).toMatchObject({ code: 0, out: [`${file}: valid`] });
  });

  test('shows errors with their lines, in order, on narrow lines', async () => {
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

  test('names unknown and missing arguments of a step', async () => {
    const step = { id: 'press', primitive: 'pointer.click', args: { x: '{% 1 %}', buton: 'left' } };
    const file = fileWith(JSON.stringify({ ...JSON.parse(CLICKS), tools: [toolWith(step)] }));
    const { code, text } = await drawbridge(['map', 'validate', file]);
    expect(code).toBe(1);
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /args has `buton`, which is no argument of `pointer\.click`.*did you mean `button`/,
    );
    expect(text.replaceAll(/\s+/g, ' ')).toContain('args lacks `y`, which `pointer.click` needs');
  });

  test('--json prints one line per file, with exactly the known fields', async () => {
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

  test('reads a map from standard input', async () =>
    expect(await drawbridge(['map', 'validate', '-', '--json'], SMALL)).toMatchObject({
      code: 0,
      out: ['{"file":"-","ok":true,"errors":[],"warnings":[]}'],
    }));

  test('fails on a missing file, and still reads the others', async () => {
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

  test('with a dictionary, unknown primitives are errors', async () => {
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

  test('colours only terminals', async () => {
    const file = fileWith(BROKEN);
    expect((await drawbridge(['map', 'validate', file])).text).not.toContain('\u001b');
    expect((await drawbridge(['map', 'validate', file], '', true)).text).toContain('\u001b[31merror');
  });
});

describe('map lint', () => {
  test('shows findings with their severity, and fails on major ones', async () => {
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

  test('--json prints one line per file', async () => {
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

  test('a clean map has no findings, and an invalid one fails', async () => {
    const file = fileWith(SMALL);
    expect(await drawbridge(['map', 'lint', file])).toMatchObject({
      code: 0,
      out: [`${file}: no findings`],
    });
    expect(await drawbridge(['map', 'lint', fileWith(BROKEN), '--fail-on', 'never'])).toMatchObject({
      code: 1,
    });
    expect(await drawbridge(['map', 'lint', 'none.json'])).toMatchObject({ code: 1 });
  });
});

const toolWith = (step: object) => ({
  ...{ name: 'door.open', description: 'Open the door.', input_schema: { type: 'object' } },
  workflow: { version: 1, expression_language: 'jsonata', steps: [step] },
});
