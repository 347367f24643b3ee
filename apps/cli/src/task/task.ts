import { readFile } from 'node:fs/promises';
import { isObject } from '@drawbridge/protocol/manifest';
import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { type Options, optionLines, readOptions } from '../options.ts';

const OPTIONS = {
  url: { type: 'string', value: 'URL', help: 'opened first' },
  schema: { type: 'string', value: 'FILE', help: 'a JSON Schema that the result must fit' },
  runtime: { type: 'string', value: 'ID', help: 'the browser to use; otherwise any idle one' },
  timeout: {
    type: 'string',
    value: 'S',
    help: 'time limit in seconds, 1800 unless given; time spent waiting for you does not count',
  },
  'max-steps': { type: 'string', value: 'N', help: '50 unless given' },
  'max-tokens': { type: 'string', value: 'N', help: '500000 unless given' },
  'max-cost': { type: 'string', value: 'DOLLARS', help: 'no limit unless given' },
  data: { type: 'string', value: 'DIR', help: 'data folder (DRAWBRIDGE_HOME, or ~/.drawbridge)' },
  json: {
    type: 'boolean',
    help: 'one JSON object per line: "accepted", each event, and last "end" with the task and its result',
  },
} as const satisfies Options;

export const task: Command = {
  name: 'task',
  summary: 'run a task in a browser, and watch',
  help: `drawbridge task "PROMPT" [--url URL] [--schema FILE]
drawbridge task list | show ID | cancel ID | replay ID|FILE
drawbridge task clients add NAME

The relay does this in a lent browser. Shows the plan and each
step, asks you for missing facts, and prints the result. Press
Ctrl-C to cancel.

${optionLines(OPTIONS)}

The exit code is 1 if the task failed or was cancelled.

Example:
  drawbridge task "What does the cheapest tea cost?" \\
    --url https://shop.example`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    const [prompt, ...rest] = positionals;
    if (prompt === undefined || prompt.trim() === '')
      throw new UsageError('Give the task in quotes: task "…".');
    if (rest.length > 0) throw new UsageError('Put the task in quotes: it is one argument.');
    const { url, runtime, json = false } = values;
    if (url !== undefined && !/^https?:/.test(URL.parse(url)?.protocol ?? ''))
      throw new UsageError(`--url takes an http or https address, not "${url}".`);
    const metadata = {
      ...(values.timeout !== undefined && { timeout: readSeconds(values.timeout) }),
      ...readLimit('max_steps', values['max-steps']),
      ...readLimit('max_tokens', values['max-tokens']),
      ...readLimit('max_cost', values['max-cost']),
    };
    const schema = values.schema === undefined ? undefined : await readSchema(values.schema);
    const folder = await openDataFolder(values.data);
    const { runTask } = await import('./task-run.ts');
    return runTask(folder.path, { prompt, url, schema, runtime, metadata, json }, terminal);
  },
};

const LONGEST_S = 86_400;

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,5}$/.test(text) && seconds >= 1 && seconds <= LONGEST_S) return seconds * 1_000;
  throw new UsageError(`--timeout takes seconds, from 1 to ${LONGEST_S}, not "${text}".`);
}

/** The relay decides the maximum. */
function readLimit(name: string, text: string | undefined): Readonly<Record<string, number>> {
  if (text === undefined) return {};
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text) && Number(text) > 0) return { [name]: Number(text) };
  throw new UsageError(`--${name.replace('_', '-')} takes a number above 0, not "${text}".`);
}

async function readSchema(file: string): Promise<object> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`There is nothing to read at ${file}.`, { cause });
  });
  const schema = parseSchema(text);
  if (schema === undefined) throw new UsageError(`${file} is no JSON Schema: it must hold one JSON object.`);
  return schema;
}

function parseSchema(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
