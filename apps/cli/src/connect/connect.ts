import { homedir } from 'node:os';
import { type Command, type Terminal, UsageError } from '../command.ts';
import { widthOf, wrap } from '../map/paint.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import { CLIENTS, type Client, type Surroundings } from './clients.ts';
import { readConfig, writeConfig } from './config-file.ts';
import { ConfigProblem, type Standing } from './config-format.ts';
import { SERVER_NAME, type ServerEntry, thisInstallation } from './server-entry.ts';

const NAMES = [...CLIENTS.keys()].join(', ');

const OPTIONS = {
  write: { type: 'boolean', help: 'add it to the file; the rest stays as it is' },
  remove: { type: 'boolean', help: 'take it out again' },
  global: { type: 'boolean', help: "your user-wide file, not this project's" },
  force: { type: 'boolean', help: 'replace an entry that starts something else' },
  json: {
    type: 'boolean',
    help: 'one JSON object:\n{"client","file","standing","done","config"}\nstanding is absent, same or different: what the file held before. done is shown, written, removed or unchanged.',
  },
} as const satisfies Options;

const HELP = `drawbridge connect CLIENT [--write | --remove] [--global]
                          [--force] [--json]

Shows how an agent starts Drawbridge as an MCP server, and
which file to put that in: this project's, or with --global
your own. CLIENT is one of
${wrap(NAMES, 60).join('\n')}.

${optionLines(OPTIONS)}

A file that can't be parsed is left as it is, and the exit
code is 1.

Example:
  drawbridge connect claude --write`;

type ConnectOptions = ReturnType<typeof readOptions<typeof OPTIONS>>['values'];

type Done = 'shown' | 'written' | 'removed' | 'unchanged';

export function createConnect(surroundings: () => Surroundings, entry: ServerEntry): Command {
  return {
    name: 'connect',
    summary: 'let an agent use this browser (MCP)',
    help: HELP,
    async run(args, terminal) {
      const { name, client, options } = readArguments(args);
      const around = surroundings();
      const isGlobal = options.global === true || client.projectFile === undefined;
      const file = (isGlobal ? client.userFile : (client.projectFile ?? client.userFile))(around);
      const { standing, done } = await carryOut(name, client, file, entry, options);
      const config = client.format.show(entry);
      if (options.json === true)
        terminal.print(JSON.stringify({ client: name, file, standing, done, config }));
      else explain({ name, client, file, isGlobal, standing, done, config, options }, terminal);
      return 0;
    },
  };
}

export const connect = createConnect(
  () => ({ home: homedir(), folder: process.cwd(), platform: process.platform, env: process.env }),
  thisInstallation(),
);

function readArguments(args: readonly string[]) {
  const { values: options, positionals } = readOptions(args, OPTIONS);
  const [name, ...more] = positionals;
  if (name === undefined) throw new UsageError(`Which client? One of ${NAMES}.`);
  const client = CLIENTS.get(name);
  if (client === undefined || more.length > 0)
    throw new UsageError(`There is no client "${positionals.join(' ')}". One of ${NAMES}.`);
  if (options.write === true && options.remove === true)
    throw new UsageError('Give --write or --remove, not both.');
  return { name, client, options };
}

async function carryOut(
  name: string,
  { format }: Client,
  file: string,
  entry: ServerEntry,
  options: ConnectOptions,
): Promise<{ readonly standing: Standing; readonly done: Done }> {
  const text = await readConfig(file);
  try {
    const standing = format.standing(text, entry);
    if (options.remove === true) {
      if (standing === 'absent') return { standing, done: 'unchanged' };
      await writeConfig(file, format.take(text));
      return { standing, done: 'removed' };
    }
    if (options.write !== true) return { standing, done: 'shown' };
    if (standing === 'same') return { standing, done: 'unchanged' };
    if (standing === 'different' && options.force !== true)
      throw new ConfigProblem(
        `it has a ${SERVER_NAME} that starts something else. To replace it: drawbridge connect ${name} --write --force`,
      );
    await writeConfig(file, format.put(text, entry));
    return { standing, done: 'written' };
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    if (options.write === true || options.remove === true)
      throw new Error(`${file} stays as it is: ${error.message}`);
    // Showing works without a readable file.
    return { standing: 'absent', done: 'shown' };
  }
}

interface Outcome {
  readonly name: string;
  readonly client: Client;
  readonly file: string;
  readonly isGlobal: boolean;
  readonly standing: Standing;
  readonly done: Done;
  readonly config: string;
  readonly options: ConnectOptions;
}

function explain(outcome: Outcome, terminal: Terminal): void {
  for (const text of sentencesOf(outcome)) {
    // Configuration lines stay whole for copying.
    // A path that is broken over two lines can't be copied.
    const isWhole = text.includes(outcome.file);
    const wrapped = isWhole ? [text] : wrap(text, widthOf(terminal));
    const lines = text === outcome.config ? ['', text, ''] : wrapped;
    for (const line of lines) terminal.print(line);
  }
}

function sentencesOf({ name, client, file, isGlobal, standing, done, config, options }: Outcome): string[] {
  if (done === 'removed') return [`Removed from ${file}.`];
  if (done === 'unchanged' && standing === 'absent') return [`There is nothing to remove in ${file}.`];
  if (done === 'shown') {
    const how = `To put it there: drawbridge connect ${name} --write${options.global === true ? ' --global' : ''}`;
    const last = standing === 'same' ? 'Already there.' : how;
    return [`For ${client.title}, in ${file}:`, config, last];
  }
  return [
    done === 'written' ? `Written to ${file}.` : `${file} has it already; nothing is changed.`,
    `Next: ${client.next}`,
    ...(isGlobal ? [] : ['The paths in it are this machine’s: do not share the file, or use --global.']),
  ];
}
