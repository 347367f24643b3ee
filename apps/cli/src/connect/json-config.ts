import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  type Edit,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  stripComments,
} from 'jsonc-parser';
import { type ConfigFormat, ConfigProblem, lineEndOf } from './config-format.ts';
import { SERVER_NAME, type ServerEntry } from './server-entry.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Dialect {
  /** Some clients need a transport type. */
  readonly type?: 'stdio' | 'local';
  /** One list for the command and its arguments. */
  readonly isOneList?: boolean;
}

/** A JSON file that lists servers under one key. */
export function jsonConfig(key: string, { type, isOneList = false }: Dialect = {}): ConfigFormat {
  const path: JSONPath = [key, SERVER_NAME];
  const fieldsOf = ({ command, args }: ServerEntry): Fields => ({
    ...(type !== undefined && { type }),
    ...(isOneList ? { command: [command, ...args] } : { command, args: [...args] }),
  });
  const show = (entry: ServerEntry) =>
    JSON.stringify({ [key]: { [SERVER_NAME]: fieldsOf(entry) } }, undefined, 2);
  return {
    show,
    standing(text, entry) {
      const mine = read(text, key).servers[SERVER_NAME];
      if (mine === undefined) return 'absent';
      if (!isFields(mine)) return 'different';
      const wanted = Object.entries(fieldsOf(entry));
      return wanted.every(([name, value]) => isDeepStrictEqual(mine[name], value)) ? 'same' : 'different';
    },
    put(text, entry) {
      const { level, servers } = read(text, key);
      if (level === 0) return `${show(entry)}\n`;
      const before = servers[SERVER_NAME];
      const mine = { ...(isFields(before) ? before : {}), ...fieldsOf(entry) };
      return edited(text, (plain) =>
        modify(plain, path, mine, {}).map((edit) => laidOut(edit, plain, level)),
      );
    },
    take(text) {
      const isLast = Object.keys(read(text, key).servers).length === 1;
      const left = edited(text, (plain) => modify(plain, isLast ? [key] : path, undefined, {}));
      if (commentChars(left) === commentChars(text)) return left;
      throw new ConfigProblem(`taking ${SERVER_NAME} out would take a comment along. Do it by hand.`);
    },
  };
}

const BYTE_ORDER_MARK = '\uFEFF';

const commentChars = (text: string): number => text.length - stripComments(text).length;

interface Reading {
  /** Depth of our entry: 0 in an empty file, 1 without a list, 2 in the list. */
  readonly level: 0 | 1 | 2;
  readonly servers: Fields;
}

/** VS Code and Gemini allow comments and trailing commas: both are kept. */
function read(text: string, key: string): Reading {
  const plain = withoutMark(text);
  if (plain.trim() === '') return { level: 0, servers: {} };
  const errors: ParseError[] = [];
  const tree = parseTree(plain, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) throw notJson(plain, error);
  if (tree?.type !== 'object') throw new ConfigProblem('it holds something other than one JSON object.');
  const list = onlyChild(tree, key);
  if (list === undefined) return { level: 1, servers: {} };
  if (list.type !== 'object')
    throw new ConfigProblem(`its "${key}" is no object. Correct it by hand, then try again.`);
  onlyChild(list, SERVER_NAME);
  return { level: 2, servers: getNodeValue(list) };
}

/** Refuses duplicate keys, because programs differ in which one counts. */
function onlyChild({ children = [] }: Node, key: string): Node | undefined {
  const found = children.filter(({ children: [name] = [] }) => name?.value === key);
  if (found.length > 1) throw new ConfigProblem(`it has "${key}" twice. Correct it by hand, then try again.`);
  return found[0]?.children?.[1];
}

/** Strips a byte order mark before the edit, which the library cannot parse. */
function edited(text: string, edit: (plain: string) => readonly Edit[]): string {
  const plain = withoutMark(text);
  return text.slice(0, text.length - plain.length) + applyEdits(plain, [...edit(plain)]);
}

/** Formats the insertion like the file; the library would reformat its neighbours too. */
function laidOut({ offset, length, content }: Edit, text: string, depth: number): Edit {
  const indent = /^[ \t]+(?=["/])/m.exec(text)?.[0] ?? '  ';
  const line = (level: number) => lineEndOf(text) + indent.repeat(level);
  const pretty = (json: string) =>
    JSON.stringify(JSON.parse(json), undefined, indent).replaceAll('\n', line(depth));
  if (content.startsWith('{')) return { offset, length, content: pretty(content) };
  const [, comma = '', name = '', json = ''] = /^(,?)("[^"]*"):\s*(.*)$/s.exec(content) ?? [];
  const property = `${comma}${line(depth)}${name}: ${pretty(json)}`;
  if (comma !== '') return { offset, length, content: property };
  const gap = /^\s*(?=\})/.exec(text.slice(offset))?.[0].length ?? 0;
  return { offset, length: length + gap, content: property + line(depth - 1) };
}

const withoutMark = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;

function notJson(text: string, { error, offset }: ParseError): ConfigProblem {
  const line = text.slice(0, offset).split('\n').length;
  return new ConfigProblem(
    `line ${line} is not JSON (${printParseErrorCode(error)}). Correct it by hand, then try again.`,
  );
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
