import { type MapProblem, type ValidateOptions, type Validation, validate } from '@drawbridge/manifest';
import type { Command, Terminal } from '../command.ts';
import { type Options, optionLines } from '../options.ts';
import { readMapArguments } from './arguments.ts';
import { couldNotRead, type MapFile, readDictionary, readMapFile, wireProblem } from './map-file.ts';
import { counted, paintFor } from './paint.ts';
import { printProblem, tally } from './report.ts';

const OPTIONS = {
  dictionary: {
    type: 'string',
    value: 'FILE',
    help: 'the primitives of a runtime (JSON): steps that name others are errors',
  },
  json: {
    type: 'boolean',
    help: 'one JSON object per line, one line per file:\n{"file","ok","errors":[…],"warnings":[…]}',
  },
} as const satisfies Options;

export const mapValidate: Command = {
  name: 'map validate',
  summary: 'show every error in a map',
  help: `drawbridge map validate FILE… [--dictionary FILE] [--json]

Checks each actions.json against version 1 of the format: its
shape, its names, what refers to what, workflows and the
arguments of their steps, projections, expressions and schemas.
Shows all errors at once, each with
its line. A warning does not make a map invalid.

${optionLines(OPTIONS)}

FILE may be - for standard input. The exit code is 1 if any
map is invalid or cannot be read. docs/reference/map-errors.md lists
every code.

Example:
  drawbridge map validate maps/*/actions.json`,

  async run(args, terminal) {
    const { values, files } = readMapArguments(args, OPTIONS);
    const dictionary = await readDictionary(values.dictionary);
    const { argumentsOf } = await import('./primitive-arguments.ts');
    const options = { argumentsOf, ...(dictionary && { dictionary }) };
    let valid = 0;
    for (const name of files) {
      const file = await readMapFile(name, terminal);
      valid += (
        values.json === true
          ? printJson(file, options, terminal)
          : printHuman(file, options, terminal)
      )
        ? 1
        : 0;
    }
    if (values.json !== true && files.length > 1)
      terminal.print(`${valid} of ${counted(files.length, 'map')} valid.`);
    return valid === files.length ? 0 : 1;
  },
};

function printJson(file: MapFile, options: ValidateOptions, terminal: Terminal): boolean {
  const { ok, errors, warnings } = file.ok ? validate(file.text, options) : couldNotRead(file.message);
  terminal.print(
    JSON.stringify({
      file: file.file,
      ok,
      errors: errors.map(wireProblem),
      warnings: warnings.map(wireProblem),
    }),
  );
  return ok;
}

function printHuman(file: MapFile, options: ValidateOptions, terminal: Terminal): boolean {
  if (!file.ok) {
    terminal.printError(file.message);
    return false;
  }
  const result = validate(file.text, options);
  printValidation(file.file, file.text, result, terminal);
  return result.ok;
}

/** Also used by other map commands for an invalid map. */
export function printValidation(
  name: string,
  text: string,
  { ok, errors, warnings }: Validation,
  terminal: Terminal,
): void {
  const paint = paintFor(terminal);
  const graded = [...withGrade(errors, 'error'), ...withGrade(warnings, 'warning')].toSorted(
    (one, other) => one.line - other.line || one.column - other.column,
  );
  const sum = tally([...errors.map(() => 'error'), ...warnings.map(() => 'warning')]);
  const verdict = ok ? paint.good('valid') : paint.bad('not valid');
  terminal.print(`${name}: ${verdict}${sum === undefined ? '' : `, ${sum}`}`);
  if (graded.length > 0) terminal.print('');
  for (const problem of graded) printProblem(problem, text, terminal);
}

const withGrade = (problems: readonly MapProblem[], grade: string) =>
  problems.map((problem) => ({ ...problem, grade }));
