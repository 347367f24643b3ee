import { ERROR_CODES } from '@drawbridge/protocol';
import { isDeep, sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CODE_ROWS,
  MATRIX_HOSTS,
  MATRIX_TRANSPORTS,
  SELECTOR_ROWS,
  type SelectorName,
  type StableCode,
} from '../scripts/gen/bridge-matrix-cells.ts';
import {
  type Guest,
  type MatrixHarness,
  openCdpHarness,
  openExtensionColumn,
  openPageHarness,
} from './matrix-harness.ts';
import { startBridges, startMatrixServer } from './matrix-server.ts';
import { drops, SITUATIONS } from './matrix-situations.ts';

let site: Awaited<ReturnType<typeof startMatrixServer>>;
let bridges: Awaited<ReturnType<typeof startBridges>>;

beforeAll(async () => {
  site = await startMatrixServer();
  bridges = await startBridges(site.url);
});
afterAll(async () => {
  await bridges[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Checks all of BRG-74: failure, severity, recoverability, evidence, and what to do next. */
async function shows(code: StableCode, harness: MatrixHarness): Promise<void> {
  const answer = await SITUATIONS[code](harness);
  expect(answer).toMatchObject({
    type: 'action_error',
    call_id: expect.any(String),
    error: { code, severity: ERROR_CODES[code].severity, recoverable: ERROR_CODES[code].recoverable },
  });
  if (answer.type !== 'action_error') return;
  const { evidence, message } = answer.error;
  expect(Object.keys(evidence ?? {}), 'evidence').not.toEqual([]);
  expect(message).toMatch(ADVICE);
  if (code === 'invalid_input' || code === 'unsafe_state') expect(await drops(harness)).toBe('Water:');
}

/** A later part of the message that says what to do, or where. */
const ADVICE =
  /[.;:] (?:(?:Ask|Bring|Call|Check|Choose|Connect|Correct|Give|Have|Lend|Look|Name|Open|Register|Take|Try|Use|Wait|Write)\b|"list" of|These hosts can:)/;

/** Includes building the extension, unless it was built before. */
const OPENING_MS = 300_000;

/** Opens a column once, before its first cell. */
function column(open: () => Promise<MatrixHarness>): { readonly harness: () => MatrixHarness } {
  let opened: MatrixHarness | undefined;
  beforeAll(async () => {
    opened = await open();
  }, OPENING_MS);
  afterAll(() => opened?.[Symbol.asyncDispose]());
  return {
    harness: () => {
      if (opened === undefined) throw new Error('The column opens in beforeAll.');
      return opened;
    },
  };
}

const codeCells = (where: string) =>
  CODE_ROWS.map(
    ({ code, rules }) => [[...rules, 'BRG-74'].map((rule) => `[${rule}]`).join(' '), code, where] as const,
  );

/** Page code alone answers at the others. */
const HOSTS = MATRIX_HOSTS.filter((host) => isDeep || host === 'cdp' || host === 'extension');

describe.each(HOSTS)('host %s', (host) => {
  const { harness } = column(() =>
    host === 'cdp'
      ? openCdpHarness(site.url)
      : host === 'extension'
        ? openExtensionColumn(site.url)
        : openPageHarness(site.url, host === 'direct' ? { host } : { host, transport: 'websocket' }, bridges),
  );

  test.each(codeCells(host))('%s %s on %s', (_, code) => shows(code, harness()));
});

describe.each(sampled(MATRIX_TRANSPORTS, 2))('transport %s', (transport) => {
  const { harness } = column(() => openPageHarness(site.url, { host: 'embed', transport }, bridges));

  test.each(codeCells(transport))('%s [BRG-106] %s over %s', (_, code) => shows(code, harness()));

  describe('chooses', () => {
    let shed: Guest;
    beforeAll(async () => {
      shed = await harness().guest();
    });

    test.each(SELECTOR_ROWS.map(({ rule, selector }) => [rule, selector, transport] as const))(
      '[%s] [BRG-51] [BRG-106] by %s over %s',
      async (_, selector) => {
        const { testPage, testPageKey, ask } = harness();
        const titles = [];
        for (const chosen of [
          selecting(selector, {
            runtime_id: testPage,
            runtime_key: testPageKey,
            url: '/garden',
            title: 'Gard',
          }),
          selecting(selector, { ...shed, url: '/shed', title: 'She' }),
        ]) {
          const answer = await ask({ name: 'page.info', arguments: {}, ...chosen });
          const title = 'output' in answer ? Reflect.get(Object(answer.output), 'title') : answer.error;
          titles.push([title, answer.runtime_id]);
        }
        expect(titles).toEqual([
          ['Garden', testPage],
          ['Shed', shed.runtime_id],
        ]);
        const nowhere = { runtime_id: 'x', runtime_key: 'x', url: '/nowhere', title: 'Nowhere' };
        expect(
          await ask({ name: 'page.info', arguments: {}, ...selecting(selector, nowhere) }),
        ).toMatchObject({ error: { code: 'runtime_not_found' } });
      },
    );
  });
});

interface Named {
  readonly runtime_id: string;
  readonly runtime_key: string;
  readonly url: string;
  readonly title: string;
}

function selecting(selector: SelectorName, { runtime_id, runtime_key, url, title }: Named) {
  const fields = {
    runtime_id: { runtime_id },
    target_runtime_id: { target_runtime_id: runtime_id },
    'target.runtime_id': { target: { runtime_id } },
    'target.runtime_key': { target: { runtime_key } },
    target_url_contains: { target_url_contains: url },
    target_title_contains: { target_title_contains: title },
  };
  return fields[selector];
}
