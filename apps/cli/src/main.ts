import about from '../package.json' with { type: 'json' };
import { backup } from './backup/backup.ts';
import { browser } from './browser/browser.ts';
import { type Command, type ExitCode, type Terminal, UsageError } from './command.ts';
import { completionOf } from './completion/completion.ts';
import { connect } from './connect/connect.ts';
import { demo } from './demo/demo.ts';
import { doctor } from './doctor/doctor.ts';
import { extension } from './extension/extension.ts';
import { ledgerCopy } from './ledger/ledger-copy.ts';
import { ledgerRepair } from './ledger/ledger-repair.ts';
import { ledgerVerify } from './ledger/ledger-verify.ts';
import { mapCheck } from './map/check.ts';
import { mapDocs } from './map/docs.ts';
import { mapLint } from './map/lint.ts';
import { mapMigrate } from './map/migrate.ts';
import { wrap } from './map/paint.ts';
import { mapRecord } from './map/record.ts';
import { mapRun } from './map/run.ts';
import { mapTypes } from './map/types.ts';
import { mapValidate } from './map/validate.ts';
import { mcp } from './mcp/mcp.ts';
import { ownCommand } from './path/own-command.ts';
import { path } from './path/path.ts';
import { proxy, proxyDoctor, proxyService } from './proxy/proxy.ts';
import { devices } from './relay/devices.ts';
import { halt } from './relay/halt.ts';
import { pair } from './relay/pair.ts';
import { sessions } from './relay/sessions.ts';
import { up } from './relay/up.ts';
import { taskReplay } from './task/replay.ts';
import { task } from './task/task.ts';
import { taskClientsAdd } from './task/task-clients.ts';
import { taskCancel, taskList, taskShow } from './task/task-questions.ts';
import { wireCheck } from './wire/check.ts';

/** In the order in which a person meets them. */
const GROUPS: Readonly<Record<string, readonly Command[]>> = {
  Start: [up, demo, doctor, path],
  'People and devices': [pair, devices, sessions, halt],
  Agents: [connect, mcp, proxy, proxyDoctor, proxyService],
  'Browser and tasks': [
    browser,
    extension,
    ...[task, taskList, taskShow, taskCancel, taskReplay, taskClientsAdd],
  ],
  Maps: [mapValidate, mapLint, mapMigrate, mapDocs, mapTypes, mapRun, mapCheck, mapRecord],
  'Stored data': [backup, ledgerCopy, ledgerVerify, ledgerRepair],
  'For developers': [wireCheck, completionOf(() => COMMANDS)],
};
export const COMMANDS: readonly Command[] = Object.values(GROUPS).flat();

/** A newcomer may meet these words here first. */
const WORDS = [
  ['relay', 'the server that the command up runs; others connect to it'],
  ['proxy', 'a program that starts coding agents on its machine'],
  ['map', 'a file with what agents may do on a site'],
  ['ledger', 'where the relay stores every message'],
] as const;

const processTerminal: Terminal = {
  stdin: process.stdin,
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  colour: process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined,
  ...(process.stdout.columns > 0 ? { columns: process.stdout.columns } : {}),
  ...(process.stdout.isTTY === true && { write: (text: string) => process.stdout.write(text) }),
};

export async function main(args: readonly string[], terminal: Terminal = processTerminal): Promise<ExitCode> {
  if (VERSION.has(args[0] ?? '')) {
    terminal.print(`drawbridge ${about.version}, Node ${process.versions.node}`);
    return 0;
  }
  const command = commandOf(args);
  const shown = terminal === processTerminal ? withOwnCommand(terminal) : terminal;
  if (command === undefined) return overview(args, shown);
  const rest = args.slice(command.name.split(' ').length);
  if (rest.includes('--help') || rest.includes('-h')) {
    const help = `drawbridge ${command.name}: ${command.summary}\n\n${command.help}`;
    shown.print([help, ...wordsIn(help)].join('\n'));
    return 0;
  }
  try {
    return await command.run(rest, shown);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    for (const line of error.message.split('\n').flatMap((each) => fitted(each, terminal)))
      shown.printError(line);
    if (!(error instanceof UsageError)) return 1;
    shown.printError(`See: drawbridge ${command.name} --help`);
    return 2;
  }
}

/** Printed commands work where they are read: `drawbridge` alone may be missing, or somebody else's. */
function withOwnCommand(terminal: Terminal): Terminal {
  const own = ownCommand();
  if (own === 'drawbridge') return terminal;
  const words = new Set(['COMMAND', '--version', ...COMMANDS.map(({ name }) => name.split(' ')[0])]);
  const typed = (line: string): string =>
    line.startsWith('{')
      ? line
      : line.replaceAll(/(?<![\w./@-])drawbridge (?=([a-z]+|COMMAND|--version))/g, (text, word) =>
          words.has(word) ? `${own} ` : text,
        );
  return {
    ...terminal,
    print: (line) => terminal.print(typed(line)),
    printError: (line) => terminal.printError(typed(line)),
  };
}

/** Explains the words of ours in a help text, unless it does so itself. Names of commands and options do not count. */
function wordsIn(help: string): readonly string[] {
  const text = help.replaceAll(
    /drawbridge [a-z]+( [a-z]+)?|--?[a-z-]+|reverse proxy|[\w~.-]*\/\S+|\w+\.log/g,
    '',
  );
  const used = WORDS.filter(([word]) =>
    new RegExp(`\\b${word.replace(/y$/, '(y|ie)')}s?\\b`, 'i').test(text),
  );
  const unsaid = used.filter(([word]) => !new RegExp(`\\b${word} +(is the|a program)\\b`, 'i').test(text));
  const width = Math.max(0, ...unsaid.map(([word]) => word.length));
  const lines = unsaid.map(([word, summary]) => `  ${word.padEnd(width)}  ${summary}`);
  return lines.length === 0 ? [] : ['', 'Words:', ...lines];
}

/** Wraps at words in an interactive terminal. */
function fitted(line: string, { columns }: Terminal): readonly string[] {
  if (columns === undefined || line.length <= columns) return [line];
  return wrap(line.trimStart(), columns, /^ */.exec(line)?.[0]);
}

/** The longest match: `task list` is no task. */
const commandOf = (args: readonly string[]): Command | undefined =>
  COMMANDS.filter(({ name }) => startsWith(args, name.split(' '))).toSorted(
    (one, other) => other.name.length - one.name.length,
  )[0];

async function overview(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const asked = args.length === 0 || HELP.has(args.at(-1) ?? '');
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${args[0]} `));
  const print = asked ? terminal.print : terminal.printError;
  const width = Math.max(...(family.length > 0 ? family : COMMANDS).map(({ name }) => name.length));
  const list = (commands: readonly Pick<Command, 'name' | 'summary'>[]): void => {
    for (const { name, summary } of commands) print(`  ${name.padEnd(width)}  ${summary}`);
  };
  print(`drawbridge ${family.length > 0 ? `${args[0]} ` : ''}COMMAND`);
  if (family.length > 0) {
    print('');
    list(family);
    for (const line of wordsIn(family.map(({ summary }) => summary).join('\n'))) print(line);
  } else {
    for (const [title, commands] of Object.entries(GROUPS)) {
      print(`\n${title}`);
      list(commands);
    }
    print('\nWords');
    list(WORDS.map(([name, summary]) => ({ name, summary })));
  }
  print('\nFor more about a command: drawbridge COMMAND --help');
  print('Which version this is: drawbridge --version');
  // Last: a terminal has scrolled past the first line of a long list.
  if (!asked) print(`\n${await unknownCommand(args)}`);
  return asked ? 0 : 2;
}

async function unknownCommand(args: readonly string[]): Promise<string> {
  const { nearest } = await import('@drawbridge/manifest');
  const names = COMMANDS.flatMap(({ name }) => [name, ...name.split(' ').slice(0, 1)]);
  const words = args.filter((arg) => !arg.startsWith('-'));
  const meant = nearest(words.slice(0, 2).join(' '), names) ?? nearest(words[0] ?? '', names);
  const hint = meant === undefined ? '' : ` Did you mean drawbridge ${meant}?`;
  return `There is no command "${args.join(' ')}".${hint}`;
}

const HELP = new Set(['--help', '-h', 'help']);
const VERSION = new Set(['--version', '-v', '-V', 'version']);

const startsWith = (args: readonly string[], words: readonly string[]): boolean =>
  words.every((word, index) => args[index] === word);
