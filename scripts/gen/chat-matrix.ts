import {
  MATRIX_ROLES,
  MATRIX_TEST,
  MATRIX_TYPES,
  matrixRow,
  OUTCOMES,
} from '@drawbridge/relay/test/contract/matrix-cells';
import type { GeneratedFile } from './file.ts';
import { code, page, table } from './markdown.ts';

const GENERATED = '<!-- Generated from the cells of the matrix by `npm run gen`. Do not edit. -->';

const words = (outcome: string): string => outcome.replaceAll('_', ' ');

/** Which peer may send which frame to the relay, and what the relay answers. */
export const generateChatMatrix = (): GeneratedFile => ({
  path: 'docs/reference/chat-matrix.md',
  text: page([
    GENERATED,
    '# Who may send which chat frame',
    `A peer's role comes from its credential alone (CHT-85). A *stranger* has none, and a *revoked* device has one that no longer counts. Each of the ${MATRIX_TYPES.length * MATRIX_ROLES.length} cells is shown over a real socket in [${code(MATRIX_TEST)}](../../${MATRIX_TEST}), where a refused frame is one that would have had an effect: neither the ledger nor any other peer sees a trace of it.`,
    table(
      ['', 'what comes of it'],
      Object.entries(OUTCOMES).map(([outcome, meaning]) => [words(outcome), meaning]),
    ),
    table(
      ['frame', ...MATRIX_ROLES],
      MATRIX_TYPES.map((type) => {
        const row = matrixRow(type);
        return [code(type), ...MATRIX_ROLES.map((role) => words(row[role]))];
      }),
    ),
  ]),
});
