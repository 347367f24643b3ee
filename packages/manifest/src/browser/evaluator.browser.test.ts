import { fileURLToPath } from 'node:url';
import { type OpenPage, openPage } from '@drawbridge/testbed';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const SITE = 'http://evaluator.test';
const ENDLESS = '($f := function($x) { $f($x + 1) }; $f(0))';
const LOOP = '$loop := function($n) { $loop($n + 1) }';
const PATIENT = { maxMs: 20_000 };

async function bundle(entry: URL): Promise<string> {
  const build = await rolldown({ input: fileURLToPath(entry), platform: 'browser' });
  const { output } = await build.generate({ format: 'iife' });
  await build.close();
  return output[0].code;
}

let opened: OpenPage;

beforeAll(async () => {
  opened = await openPage();
  const [worker, frame, host] = await Promise.all([
    bundle(new URL('./evaluator-worker.ts', import.meta.url)),
    bundle(new URL('../../test/browser/frame-page.ts', import.meta.url)),
    bundle(new URL('../../test/browser/host-page.ts', import.meta.url)),
  ]);
  const files: Readonly<Record<string, string | undefined>> = {
    '/': '<h1>host</h1><script src="/host.js"></script>',
    '/host.js': host,
    '/worker.js': worker,
    '/frame.html': `<script type="text/plain" id="worker">${worker.replaceAll('</script', '<\\/script')}</script><script>${frame}</script>`,
  };
  await opened.page.route(`${SITE}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const contentType = pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
    return route.fulfill({ body: files[pathname] ?? '', contentType });
  });
  await opened.page.goto(`${SITE}/`);
});

afterAll(() => opened.close());

type Kind = 'frame' | 'worker';
interface Outcome {
  readonly value?: unknown;
  readonly code?: string;
  readonly evidence?: Readonly<Record<string, unknown>>;
}

/** Runs in the page, and reports whether the page's event loop kept running. */
const evaluate = (kind: Kind, expression: string, input: unknown, limits: { maxMs: number }) =>
  opened.page.evaluate<Outcome & { turned: boolean }, [Kind, string, unknown, { maxMs: number }]>(
    async ([which, text, data, bounds]) => {
      let turns = 0;
      const beat = setInterval(() => turns++, 1);
      const evaluator = Reflect.get(Reflect.get(globalThis, 'evaluators'), which);
      const outcome = await evaluator.evaluate(text, data, bounds).then(
        (value: unknown) => ({ value }),
        ({ code, evidence }: Outcome) => ({ code, evidence }),
      );
      clearInterval(beat);
      return { ...outcome, turned: turns > 0 };
    },
    [kind, expression, input, limits],
  );

describe.each<Kind>(['frame', 'worker'])('in a %s', (kind) => {
  test('[MAN-183] an expression runs isolated from the page', async () => {
    const input = { list: [3, 1, 2] };
    expect(await evaluate(kind, '$sum(list) & $base64encode("é")', input, PATIENT)).toMatchObject({
      value: '66Q==',
    });
    expect(await evaluate(kind, '$replace("abc", /[b-c]+/, "-")', {}, PATIENT)).toMatchObject({
      value: 'a-',
    });
  });

  test('[MAN-184] an expression that takes too long is killed without blocking the page, and the next one runs', async () => {
    expect(await evaluate(kind, ENDLESS, {}, { maxMs: 50 })).toMatchObject({
      code: 'expression_evaluation_failed',
      evidence: { reason: 'timeout', limit: 50 },
      turned: true,
    });
    expect(await evaluate(kind, '1 + 1', {}, PATIENT)).toMatchObject({ value: 2 });
  });

  test('[MAN-184] no work continues after an answer', async () => {
    const goesOn = `(${LOOP}; function($f) { {"then": $f} }(function($done) { ($done(1); $loop(0)) }))`;
    expect(await evaluate(kind, goesOn, {}, { maxMs: 50 })).toMatchObject({
      evidence: { reason: 'timeout' },
    });
    expect(await evaluate(kind, '1 + 1', {}, PATIENT)).toMatchObject({ value: 2 });
  });

  test('[MAN-185] [MAN-186] an expression reaches no constructor and no non-linear pattern', async () => {
    expect(await evaluate(kind, '"".constructor', {}, PATIENT)).not.toHaveProperty('value.constructor.name');
    expect(await evaluate(kind, '(function($x) { 1 }).**.environment', {}, PATIENT)).not.toHaveProperty(
      'value.base',
    );
    expect(await evaluate(kind, '$match("a", /(?=a)/)', {}, PATIENT)).toMatchObject({
      code: 'invalid_expression',
    });
    expect(await evaluate(kind, '$now()', {}, PATIENT)).toMatchObject({
      code: 'disallowed_expression_function',
    });
  });
});
