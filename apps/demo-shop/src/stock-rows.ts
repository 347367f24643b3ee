export const STOCK_ROW_COUNT = 10_000;
export const STOCK_BLOCK_ROWS = 100;

export type StockRow = { row: number; name: string; bay: string; pieces: number };

const WOODS = ['Oak', 'Ash', 'Alder', 'Beech', 'Birch', 'Elm', 'Larch'];
const PARTS = ['plank', 'peg', 'panel', 'leg', 'rail', 'batten', 'dowel', 'slat', 'block', 'wedge', 'strip'];

/** Rows are numbered from 1; empty for a `from` beyond the end. */
export function stockBlock(from: number): StockRow[] {
  const first = Math.max(1, Math.trunc(from) || 1);
  const count = Math.max(0, Math.min(STOCK_BLOCK_ROWS, STOCK_ROW_COUNT - first + 1));
  return Array.from({ length: count }, (_, offset) => stockRow(first + offset));
}

function stockRow(row: number): StockRow {
  return {
    row,
    name: `${WOODS[row % WOODS.length]} ${PARTS[row % PARTS.length]} ${String(row).padStart(5, '0')}`,
    bay: `${'ABCDEFGH'.charAt(row % 8)}${(row % 40) + 1}`,
    pieces: (row * 7) % 90,
  };
}
