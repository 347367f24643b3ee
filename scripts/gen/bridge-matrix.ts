import {
  CODE_ROWS,
  MATRIX_HOSTS,
  MATRIX_TEST,
  MATRIX_TRANSPORTS,
  SELECTOR_ROWS,
} from './bridge-matrix-cells.ts';
import type { GeneratedFile } from './file.ts';
import { code, page, table } from './markdown.ts';

const GENERATED = '<!-- Generated from the cells of the matrix by `npm run gen`. Do not edit. -->';

const CELLS =
  CODE_ROWS.length * (MATRIX_HOSTS.length + MATRIX_TRANSPORTS.length) +
  SELECTOR_ROWS.length * MATRIX_TRANSPORTS.length;

/** Error codes that a caller can get, for every host and transport. */
export const generateBridgeMatrix = (): GeneratedFile => ({
  path: 'docs/reference/bridge-matrix.md',
  text: page([
    GENERATED,
    '# Codes, selectors, transports, hosts',
    `A caller gets the same code for the same situation, whatever host has the page and whatever carries the items. Each of the ${CELLS} cells is one test in [${code(MATRIX_TEST)}](../../${MATRIX_TEST}), on a real page in a real Chromium; a test is named by its rules and its cell, such as \`[BRG-87] … target_not_found on embed\`. Run them with \`npx vitest run --project browser ${MATRIX_TEST}\`.`,
    '## What happens',
    table(
      ['code', 'rule', 'situation', 'said by'],
      CODE_ROWS.map(({ code: name, rules, situation, from }) => [
        code(name),
        rules.join(', '),
        situation,
        `the ${from}`,
      ]),
    ),
    'Every error has a severity, whether a retry can help, evidence, and a message that says what to do next (BRG-74). [Error codes](error-codes.md) lists them all.',
    '## Codes on hosts',
    'The bridge reaches the CDP host in its own process, the extension and the embed host over a WebSocket, and the direct host in the page itself.',
    cells(
      'code',
      CODE_ROWS.map((row) => row.code),
      MATRIX_HOSTS,
    ),
    '## Codes over transports',
    'The page is an embed; over a port and in-process, the bridge is in the page too, and a second page is a frame.',
    cells(
      'code',
      CODE_ROWS.map((row) => row.code),
      MATRIX_TRANSPORTS,
    ),
    '## Selectors over transports',
    'Two pages are connected; each is chosen in turn, and what fits neither chooses none.',
    table(
      ['selector', 'rule', 'chooses'],
      SELECTOR_ROWS.map(({ selector, rule, chooses }) => [code(selector), rule, chooses]),
    ),
    cells(
      'selector',
      SELECTOR_ROWS.map((row) => row.selector),
      MATRIX_TRANSPORTS,
    ),
  ]),
});

const cells = (head: string, rows: readonly string[], columns: readonly string[]): string =>
  table(
    [head, ...columns],
    rows.map((row) => [code(row), ...columns.map(() => '✓')]),
  );
