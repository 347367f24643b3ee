import { writeFile } from 'node:fs/promises';
import { validate } from '@drawbridge/manifest';
import type { ExitCode, Terminal } from '../command.ts';
import type { Options } from '../options.ts';
import { onlyFile, readMapArguments } from './arguments.ts';
import { couldNotRead, readMapFile, wireProblem } from './map-file.ts';
import { printValidation } from './validate.ts';

/** Options of `map docs` and `map types`. */
export const MADE_OPTIONS = {
  out: { type: 'string', short: 'o', value: 'FILE', help: 'write it to FILE' },
  json: { type: 'boolean', help: 'one JSON object: {"file","ok","text"}' },
} as const satisfies Options;

type Make = (map: Extract<ReturnType<typeof validate>, { ok: true }>['map']) => string;

/** Shared by `map docs` and `map types`: one valid map in, one text out. */
export async function makeFrom(make: Make, args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, files } = readMapArguments(args, MADE_OPTIONS);
  const file = await readMapFile(onlyFile(files), terminal);
  const result = file.ok ? validate(file.text) : couldNotRead(file.message);
  if (!('map' in result)) {
    if (values.json === true)
      terminal.print(JSON.stringify({ file: file.file, ok: false, errors: result.errors.map(wireProblem) }));
    else if (file.ok)
      printValidation(file.file, file.text, validate(file.text), { ...terminal, print: terminal.printError });
    else terminal.printError(file.message);
    return 1;
  }
  const text = make(result.map);
  if (values.out !== undefined) await writeFile(values.out, text);
  if (values.json === true) terminal.print(JSON.stringify({ file: file.file, ok: true, text }));
  else if (values.out === undefined) terminal.print(text.replace(/\n$/, ''));
  else terminal.print(`Written to ${values.out}.`);
  return 0;
}
