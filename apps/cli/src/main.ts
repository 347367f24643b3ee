import { backup } from './backup/backup.ts';
import { browser } from './browser/browser.ts';
import { type Command, type ExitCode, type Terminal, UsageError } from './command.ts';
import { completionOf } from './completion/completion.ts';
import { connect } from './connect/connect.ts';
import { demo } from './demo/demo.ts';
import { doctor } from './doctor/doctor.ts';
import { extension } from './extension/extension.ts';
import { ledgerCopy } from './ledger/ledger-copy.ts';
import { ledgerVerify } from './ledger/ledger-verify.ts';
import { mapCheck } from './map/check.ts';
import { mapDocs } from './map/docs.ts';
import { mapLint } from './map/lint.ts';
import { mapMigrate } from './map/migrate.ts';
import { mapRecord } from './map/record.ts';
import { mapRun } from './map/run.ts';
import { mapTypes } from './map/types.ts';
import { mapValidate } from './map/validate.ts';
import { mcp } from './mcp/mcp.ts';
import { proxy, proxyDoctor, proxyService } from './proxy/proxy.ts';
import { devices } from './relay/devices.ts';
import { halt } from './relay/halt.ts';
import { pair } from './relay/pair.ts';
import { sessions } from './relay/sessions.ts';
import { up } from './relay/up.ts';
import { taskReplay } from './task/replay.ts';
import { task } from './task/task.ts';
import { taskClientsAdd } from './task/task-clients.ts';
import { taskCancel, taskList, taskShow } from './task/task-desk.ts';
import { wireCheck } from './wire/check.ts';

const COMMANDS: readonly Command[] = [
  up,
  demo,
  pair,
  devices,
  sessions,
  ledgerCopy,
  ledgerVerify,
  halt,
  taskList,
  taskShow,
  taskCancel,
  taskReplay,
  taskClientsAdd,
  task,
  mapValidate,
  mapLint,
  mapMigrate,
  mapDocs,
  mapTypes,
  mapRun,
  mapCheck,
  mapRecord,
  browser,
  extension,
  mcp,
  connect,
  proxyDoctor,
  proxyService,
  proxy,
  wireCheck,
  backup,
  doctor,
  completionOf(() => COMMANDS),
];

const processTerminal: Terminal = {
  stdin: process.stdin,
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  colour: process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined,
  ...(process.stdout.columns > 0 ? { columns: process.stdout.columns } : {}),
  ...(process.stdout.isTTY === true && { write: (text: string) => process.stdout.write(text) }),
};

export async function main(args: readonly string[], terminal: Terminal = processTerminal): Promise<ExitCode> {
  const command = COMMANDS.find(({ name }) => startsWith(args, name.split(' ')));
  if (command === undefined) return overview(args, terminal);
  const rest = args.slice(command.name.split(' ').length);
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.print(`drawbridge ${command.name}: ${command.summary}\n\n${command.help}`);
    return 0;
  }
  try {
    return await command.run(rest, terminal);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    terminal.printError(error.message);
    if (!(error instanceof UsageError)) return 1;
    terminal.printError(`See: drawbridge ${command.name} --help`);
    return 2;
  }
}

function overview(args: readonly string[], terminal: Terminal): ExitCode {
  const asked = args.length === 0 || HELP.has(args.at(-1) ?? '');
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${args[0]} `));
  const shown = group.length > 0 ? group : COMMANDS;
  const print = asked ? terminal.print : terminal.printError;
  if (!asked) print(`There is no command "${args.join(' ')}".\n`);
  const width = Math.max(...shown.map(({ name }) => name.length));
  print(`drawbridge ${group.length > 0 ? `${args[0]} ` : ''}COMMAND\n`);
  for (const { name, summary } of shown) print(`  ${name.padEnd(width)}  ${summary}`);
  print('\ndrawbridge COMMAND --help says more about each.');
  return asked ? 0 : 2;
}

const HELP = new Set(['--help', '-h']);

const startsWith = (args: readonly string[], words: readonly string[]): boolean =>
  words.every((word, place) => args[place] === word);
