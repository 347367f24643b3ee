import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError } from './command.ts';
import { wrap } from './map/paint.ts';

/** An option of a command: from its table come the parser, `--help` and the completion of shells. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  readonly short?: string;
  /** Name of the value in the help. */
  readonly value?: string;
  /** Without it the help does not list the option. Line breaks stay. */
  readonly help?: string;
}

export type OptionTable = Options & ParseArgsOptionsConfig;
export type Options = Readonly<Record<string, Option>>;

const COLUMNS = 62;
/** The text of a longer option begins on the next line. */
const LONGEST_HEAD = 17;

/** Lines of a command's help about its options. */
export function optionLines(options: Options): string {
  const listed = Object.entries(options).flatMap(([name, { value, help, short }]) =>
    help === undefined
      ? []
      : [
          {
            head: `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
            help,
          },
        ],
  );
  const heads = listed.map(({ head }) => head.length).filter((length) => length <= LONGEST_HEAD);
  const width = Math.max(...heads, 0) + 2;
  return listed
    .flatMap(({ head, help }) => {
      const text = help
        .split('\n')
        .flatMap((line) => (width + line.length <= COLUMNS ? line : wrap(line, COLUMNS - width)));
      const [first = '', ...rest] = head.length > LONGEST_HEAD ? ['', ...text] : text;
      const indent = ' '.repeat(2 + width);
      return [`  ${head.padEnd(width)}${first}`.trimEnd(), ...rest.map((line) => indent + line)];
    })
    .join('\n');
}

export function readOptions<const Table extends OptionTable>(args: readonly string[], options: Table) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
