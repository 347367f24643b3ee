import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError } from '../command.ts';

/** Arguments after `drawbridge map …`: options, and at least one FILE (`-` is standard input). */
export function readMapArguments<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  const { values, positionals } = parsed(args, options);
  if (positionals.length === 0)
    throw new UsageError('Which map? Give at least one FILE, or - for standard input.');
  return { values, files: positionals };
}

function parsed<Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...options, json: { type: 'boolean' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** For commands that take exactly one map. */
export function onlyFile(files: readonly string[]): string {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) throw new UsageError('Give one FILE.');
  return file;
}
