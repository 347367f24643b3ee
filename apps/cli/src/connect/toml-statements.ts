import { ConfigProblem } from './config-format.ts';

/** https://toml.io/en/v1.0.0, as far as needed for the borders of tables and pairs. */
export interface Statement {
  readonly kind: 'table' | 'table_list' | 'pair';
  /** Name of the table, or of the pair within it. */
  readonly path: readonly string[];
  /** Start of its first line and of the line after its last one. */
  readonly start: number;
  readonly end: number;
}

/** Every table and pair in order, without comments and blank lines. */
export function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start);
    const source = text.slice(start, end);
    const statement = source.trim();
    if (statement !== '' && !statement.startsWith('#')) {
      const kind = statement.startsWith('[[') ? 'table_list' : statement.startsWith('[') ? 'table' : 'pair';
      statements.push({ kind, path: pathOf(statement, kind), start, end });
    }
    start = end;
  }
  return statements;
}

const STRINGS = /"""(?:[^\\]|\\.)*?"""|'''.*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/sy;

/** A statement ends with its line, unless a string or list continues. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const sign = text.charAt(index);
    if (sign === '"' || sign === "'") {
      STRINGS.lastIndex = index;
      const length = STRINGS.exec(text)?.[0].length;
      if (length === undefined) throw unreadable(text, index, 'a text has no end');
      index += length - 1;
    } else if (sign === '#') {
      const end = text.indexOf('\n', index);
      index = (end === -1 ? text.length : end) - 1;
    } else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    else if (sign === '\n' && depth <= 0) return index + 1;
  }
  if (depth > 0) throw unreadable(text, start, 'a list or table has no end');
  return text.length;
}

const KEY = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*(\.)?/y;

function pathOf(statement: string, kind: Statement['kind']): string[] {
  const path: string[] = [];
  KEY.lastIndex = kind === 'pair' ? 0 : kind === 'table' ? 1 : 2;
  for (let key = KEY.exec(statement); key !== null; key = KEY.exec(statement)) {
    path.push(key[1] ?? key[2] ?? key[3] ?? '');
    if (key[4] === undefined) break;
  }
  return path;
}

function unreadable(text: string, index: number, problem: string): ConfigProblem {
  const line = text.slice(0, index).split('\n').length;
  return new ConfigProblem(`line ${line} is not TOML that we can read: ${problem}. Correct it by hand.`);
}
