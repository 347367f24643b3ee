import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  isAtLeast,
  isSeverity,
  type LintProblem,
  type LintSeverity,
  lint,
  SEVERITIES,
  validate,
} from '@drawbridge/manifest';
import { type Command, type Terminal, UsageError } from '../command.ts';
import { type Options, optionLines } from '../options.ts';
import { readMapArguments } from './arguments.ts';
import { couldNotRead, type MapFile, readMapFile, wireProblem } from './map-file.ts';
import { paintFor } from './paint.ts';
import { printProblem, tally } from './report.ts';
import { printValidation } from './validate.ts';

const OPTIONS = {
  'fail-on': {
    type: 'string',
    value: 'SEVERITY',
    help: `the exit code is 1 from this severity
on: ${SEVERITIES.join(', ')}
(major unless given), or never`,
  },
  json: {
    type: 'boolean',
    help: 'one JSON object per line, one line per file:\n{"file","ok","errors":[…],\n "warnings":[…],"findings":[…]}',
  },
} as const satisfies Options;

export const mapLint: Command = {
  name: 'map lint',
  summary: 'find patterns that break maps later',
  help: `drawbridge map lint FILE… [--fail-on SEVERITY] [--json]

Finds parts of valid maps that work today and fail tomorrow:
clicks at fixed coordinates, changes without proof, selectors
that fit too much. docs/reference/map-lint.md explains every finding,
with a good and a bad example.

${optionLines(OPTIONS)}

FILE may be - for standard input. A map that is not valid, or
cannot be read, fails as well.

Example:
  drawbridge map lint shop/actions.json --fail-on minor`,

  async run(args, terminal) {
    const { values, files } = readMapArguments(args, OPTIONS);
    const floor = readFloor(values['fail-on'] ?? 'major');
    let failed = false;
    for (const name of files) {
      const judged = judge(await readMapFile(name, terminal), floor);
      failed ||= !judged.ok;
      if (values.json === true) printJson(judged, terminal);
      else printHuman(judged, terminal);
    }
    return failed ? 1 : 0;
  },
};

function readFloor(word: string): LintSeverity | undefined {
  if (word === 'never') return undefined;
  if (isSeverity(word)) return word;
  throw new UsageError(`--fail-on is one of ${SEVERITIES.join(', ')} or never, not "${word}".`);
}

interface Judged {
  readonly file: MapFile;
  readonly ok: boolean;
  readonly findings: readonly LintProblem[];
}

function judge(file: MapFile, floor: LintSeverity | undefined): Judged {
  const result = file.ok ? validate(file.text) : undefined;
  if (!file.ok || result?.ok !== true) return { file, ok: false, findings: [] };
  const folder = file.file === '-' ? undefined : dirname(file.file);
  const files = folder === undefined ? {} : { fileExists: (path: string) => existsSync(join(folder, path)) };
  const findings = lint(result.map, { text: file.text, ...files });
  const ok = floor === undefined || !findings.some(({ severity }) => isAtLeast(severity, floor));
  return { file, ok, findings };
}

function printJson({ file, ok, findings }: Judged, terminal: Terminal): void {
  const { errors, warnings } = file.ok ? validate(file.text) : couldNotRead(file.message);
  const found = findings.map((finding) => ({ ...wireProblem(finding), severity: finding.severity }));
  terminal.print(
    JSON.stringify({
      file: file.file,
      ok,
      errors: errors.map(wireProblem),
      warnings: warnings.map(wireProblem),
      findings: found,
    }),
  );
}

function printHuman({ file, findings }: Judged, terminal: Terminal): void {
  const result = file.ok ? validate(file.text) : undefined;
  if (!file.ok) terminal.printError(file.message);
  else if (result?.ok === false) printValidation(file.file, file.text, result, terminal);
  else printFindings(file.file, file.text, findings, terminal);
}

function printFindings(
  name: string,
  text: string,
  findings: readonly LintProblem[],
  terminal: Terminal,
): void {
  const sum = tally(findings.map(({ severity }) => severity));
  terminal.print(`${name}: ${sum ?? paintFor(terminal).good('no findings')}`);
  if (findings.length > 0) terminal.print('');
  for (const finding of findings) printProblem({ ...finding, grade: finding.severity }, text, terminal);
}
