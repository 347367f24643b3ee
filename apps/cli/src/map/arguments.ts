import { UsageError } from '../command.ts';
import { type OptionTable, readOptions } from '../options.ts';

/** Arguments after `drawbridge map …`: options, and at least one FILE (`-` is standard input). */
export function readMapArguments<const Table extends OptionTable>(args: readonly string[], options: Table) {
  const { values, positionals } = readOptions(args, options);
  if (positionals.length === 0)
    throw new UsageError('Which map? Give at least one FILE, or - for standard input.');
  return { values, files: positionals };
}

/** For commands that take exactly one map. */
export function onlyFile(files: readonly string[]): string {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) throw new UsageError('Give one FILE.');
  return file;
}
