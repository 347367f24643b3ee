import { type ConfigFormat, ConfigProblem, lineEndOf } from './config-format.ts';
import { SERVER_NAME, type ServerEntry } from './server-entry.ts';
import { type Statement, statementsOf } from './toml-statements.ts';

const LIST = 'mcp_servers';
const MINE = [LIST, SERVER_NAME];

/** A TOML file with one table per server. Ours is appended. */
export const tomlConfig: ConfigFormat = {
  show: (entry) => [`[${MINE.join('.')}]`, ...pairsOf(entry)].join('\n'),
  standing(text, entry) {
    const { own } = partsOf(text);
    if (own === undefined) return 'absent';
    const lines = text
      .slice(own.start, own.end)
      .split(/\r?\n/)
      .map((line) => line.trim());
    return pairsOf(entry).every((pair) => lines.includes(pair)) ? 'same' : 'different';
  },
  put(text, entry) {
    const { own } = partsOf(text);
    const table = `${tomlConfig.show(entry)}\n`.replaceAll('\n', lineEndOf(text));
    if (own !== undefined) return text.slice(0, own.start) + table + text.slice(own.end);
    const lineEnd = lineEndOf(text);
    const gap = text === '' ? '' : text.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
    return text + gap + table;
  },
  take(text) {
    const { own, inner } = partsOf(text);
    return [...inner, ...(own === undefined ? [] : [own])]
      .toSorted((one, other) => other.start - one.start)
      .reduce((left, { start, end }) => without(left, start, end), text);
  },
};

/** A JSON string is a TOML basic string. */
const pairsOf = ({ command, args }: ServerEntry): string[] => [
  `command = ${JSON.stringify(command)}`,
  `args = [${args.map((argument) => JSON.stringify(argument)).join(', ')}]`,
];

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Our table and its subtables. */
function partsOf(text: string): { readonly own?: Range; readonly inner: readonly Range[] } {
  const tables = tablesOf(statementsOf(text));
  for (const { path, kind, pairs } of tables) {
    const other = pairs.find((pair) => isMineOrAround([...path, ...pair.path]));
    if ((other !== undefined && !startsWith(path, MINE)) || (kind === 'table_list' && isMineOrAround(path)))
      throw new ConfigProblem(
        `it writes ${LIST} in a form that we do not change. Write it as [${MINE.join('.')}], or do it by hand.`,
      );
  }
  const own = tables.find(({ path }) => startsWith(path, MINE) && path.length === MINE.length);
  return {
    ...(own && { own }),
    inner: tables.filter(({ path }) => startsWith(path, MINE) && path.length > MINE.length),
  };
}

interface Table extends Range {
  readonly kind: Statement['kind'];
  readonly path: readonly string[];
  readonly pairs: readonly Statement[];
}

/** A table ends with its last pair: later comments belong to the next one. */
function tablesOf(statements: readonly Statement[]): Table[] {
  const heads = [
    { kind: 'table', path: [], start: 0, end: 0 } as const,
    ...statements.filter(({ kind }) => kind !== 'pair'),
  ];
  return heads.map((head, index) => {
    const next = heads[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    const pairs = statements.filter(
      ({ kind, start }) => kind === 'pair' && start >= head.start && start < next,
    );
    return { ...head, pairs, end: pairs.at(-1)?.end ?? head.end };
  });
}

const startsWith = (path: readonly string[], beginning: readonly string[]): boolean =>
  beginning.every((key, index) => path[index] === key);

/** `mcp_servers = …`, `mcp_servers.drawbridge = …` and their contents. */
const isMineOrAround = (path: readonly string[]): boolean =>
  startsWith(path, MINE) || (path.length === 1 && path[0] === LIST);

/** Includes the blank line before it. */
function without(text: string, start: number, end: number): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  return (after.trim() === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before) + after;
}
