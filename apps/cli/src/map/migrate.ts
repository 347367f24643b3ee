import { writeFile } from 'node:fs/promises';
import { type Migration, migrate } from '@drawbridge/manifest';
import { type Command, type Terminal, UsageError } from '../command.ts';
import { type Options, optionLines } from '../options.ts';
import { onlyFile, readMapArguments } from './arguments.ts';
import { couldNotRead, readMapFile, wireProblem } from './map-file.ts';
import { counted, paintFor, widthOf, wrap } from './paint.ts';
import { printValidation } from './validate.ts';

const OPTIONS = {
  write: { type: 'boolean', help: 'write each map back to its file' },
  out: { type: 'string', short: 'o', value: 'FILE', help: 'write the one map to FILE (- prints it)' },
  json: {
    type: 'boolean',
    help: 'one JSON object per line, one line per file:\n{"file","ok","changes":[{"pointer","what","why"}],\n "errors":[…],"warnings":[…],"map":"…"}',
  },
} as const satisfies Options;

export const mapMigrate: Command = {
  name: 'map migrate',
  summary: 'upgrade older maps to version 1',
  help: `drawbridge map migrate FILE… [--write | -o FILE] [--json]

Upgrades what has one meaning (a version written as a text,
states as an object, tools with only a static output, fields
that version 1 does not know), and lists every change, why, and
what is left for you to do. Data unknown to version 1 is kept
under a name with x_. Writes nothing unless you ask it to.

${optionLines(OPTIONS)}

The exit code is 1 if a map is not valid afterwards.

Example:
  drawbridge map migrate old/actions.json --write`,

  async run(args, terminal) {
    const { values, files } = readMapArguments(args, OPTIONS);
    if (values.write === true && values.out !== undefined)
      throw new UsageError('Give --write or -o FILE, not both.');
    if (values.out !== undefined) onlyFile(files);
    let valid = true;
    for (const name of files) {
      const done = await migrateFile(name, { ...values, write: values.write === true }, terminal);
      valid &&= done;
    }
    return valid ? 0 : 1;
  },
};

interface MigrateOptions {
  readonly write: boolean;
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
}

async function migrateFile(name: string, options: MigrateOptions, terminal: Terminal): Promise<boolean> {
  const file = await readMapFile(name, terminal);
  if (!file.ok) {
    if (options.json === true)
      terminal.print(JSON.stringify({ file: name, ...couldNotRead(file.message), changes: [] }));
    else terminal.printError(file.message);
    return false;
  }
  const { argumentsOf } = await import('./primitive-arguments.ts');
  const migration = migrate(file.text, { argumentsOf });
  if (options.json === true) printJson(name, migration, terminal);
  else explain(name, migration, options.out === '-' ? toErrors(terminal) : terminal);
  await put(name, migration, options, terminal);
  return migration.validation.ok;
}

/** Standard output has only the map; explanations go to standard error. */
const toErrors = (terminal: Terminal): Terminal => ({ ...terminal, print: terminal.printError });

async function put(
  name: string,
  { changes, text }: Migration,
  { write, out, json }: MigrateOptions,
  terminal: Terminal,
): Promise<void> {
  if (out === '-') {
    terminal.print(text.replace(/\n$/, ''));
    return;
  }
  const place = out ?? (write && name !== '-' && changes.length > 0 ? name : undefined);
  if (place !== undefined) {
    await writeFile(place, text);
    if (json !== true) terminal.print(`Written to ${place}.`);
  } else if (json !== true && changes.length > 0) {
    terminal.print('Nothing is written yet. To write it:');
    terminal.print(`  drawbridge map migrate ${name} --write`);
  }
}

function printJson(file: string, { changes, text, validation }: Migration, terminal: Terminal): void {
  const { ok, errors, warnings } = validation;
  terminal.print(
    JSON.stringify({
      file,
      ok,
      changes,
      errors: errors.map(wireProblem),
      warnings: warnings.map(wireProblem),
      map: text,
    }),
  );
}

function explain(name: string, { changes, text, validation }: Migration, terminal: Terminal): void {
  const paint = paintFor(terminal);
  const width = widthOf(terminal);
  terminal.print(
    `${name}: ${changes.length === 0 ? 'nothing to migrate' : counted(changes.length, 'change')}`,
  );
  terminal.print('');
  for (const { pointer, what, why } of changes) {
    terminal.print(`${paint.warn('~')} ${pointer}`);
    for (const line of wrap(what, width, '    ')) terminal.print(line);
    for (const line of wrap(`(${why})`, width, '    ')) terminal.print(paint.quiet(line));
  }
  if (changes.length > 0) terminal.print('');
  printValidation(changes.length === 0 ? name : `${name}, migrated`, text, validation, terminal);
}
