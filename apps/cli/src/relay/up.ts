import { type Command, UsageError } from '../command.ts';
import { BROWSER_OPTIONS, checkOptions, INSPECT_OPTIONS, readPort } from '../live/live-arguments.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import { DEFAULT_PORT, isLoopback } from './reach.ts';
import { isLogTarget, logTarget } from './relay-log.ts';
import { readShared } from './shared-ledger.ts';

const OPTIONS = {
  port: { type: 'string', value: 'PORT', help: `${DEFAULT_PORT} unless given; 0 for any` },
  host: {
    type: 'string',
    value: 'ADDRESS',
    help: 'where to listen, this machine only unless given; other machines connect by TLS',
  },
  cert: {
    type: 'string',
    value: 'FILE',
    help: 'your own certificate, with --key; without it one is made, and the pairing link has its hash',
  },
  key: { type: 'string', value: 'FILE', help: 'its key' },
  'behind-proxy': {
    type: 'string',
    value: 'NAME',
    help: 'a reverse proxy or tunnel with TLS is in front, at the address NAME',
  },
  database: {
    type: 'string',
    value: 'URL',
    help: 'postgres://…: a database that several relays share, with --bus. One with a password goes into DRAWBRIDGE_DATABASE, out of the process list',
  },
  bus: {
    type: 'string',
    value: 'URL',
    help: 'nats://…, several separated by commas: how those relays exchange messages. One with a password goes into DRAWBRIDGE_BUS',
  },
  'node-url': {
    type: 'string',
    value: 'URL',
    help: 'where the other relays reach this one, if that is not where it listens',
  },
  log: { type: 'string', value: 'file|stderr', help: 'where the log goes' },
  'no-browser': { type: 'boolean', help: 'only the relay' },
  extension: {
    type: 'boolean',
    help: 'load the Chrome extension, if the browser has a window and allows it',
  },
  shop: { type: 'boolean', help: 'open a demo shop to try things in' },
  'task-clients': {
    type: 'boolean',
    help: 'let in extensions of the task protocol, too; drawbridge task clients add makes the address that they are given',
  },
  url: { type: 'string', value: 'URL', help: "where the browser's first tab goes" },
  map: { type: 'string', multiple: true, value: 'FILE', help: 'a map to use where it fits; repeatable' },
  ...INSPECT_OPTIONS,
  ...BROWSER_OPTIONS,
  json: {
    type: 'boolean',
    help: 'one JSON object per line, first\n{"event":"listening","url","pair_url","token"}',
  },
} as const satisfies Options;

export const up: Command = {
  name: 'up',
  summary: 'run the relay, with a browser if one is found',
  help: `drawbridge up [--port PORT] [--data DIR] [--no-browser]
drawbridge up --host ADDRESS [--cert FILE --key FILE]
drawbridge up --behind-proxy NAME
drawbridge up --database URL --bus URL [--node-url URL]

Runs the relay, which connects agents, the browsers they act in
and people, until Ctrl-C. Prints a link to pair a device;
drawbridge pair prints another. The log is relay.log in the
data folder; in a container and under systemd, standard error.

${optionLines(OPTIONS)}

Example:
  drawbridge up --host 0.0.0.0`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    checkOptions(values, positionals);
    const { extension: withExtension = false, shop = false, ...rest } = values;
    const { host = '127.0.0.1', cert, key, 'behind-proxy': proxyName, 'no-browser': alone = false } = rest;
    const taskClients = values['task-clients'] === true;
    if ((cert === undefined) !== (key === undefined))
      throw new UsageError('--cert needs --key, and --key needs --cert.');
    if (proxyName !== undefined && !isLoopback(host))
      throw new UsageError('--behind-proxy is for a proxy of this machine: leave --host out.');
    if (values.log !== undefined && !isLogTarget(values.log))
      throw new UsageError('--log is file or stderr.');
    const log = logTarget(values.log, process.env);
    const port = readPort(values.port ?? DEFAULT_PORT);
    const shared = readShared(values, process.env);
    const { runRelay } = await import('./relay-run.ts');
    // Forwarders and returning clients depend on an explicit port.
    const anyPort = values.port === undefined && isLoopback(host) && proxyName === undefined && !shared;
    const options = { port, anyPort, host, proxyName, alone, shop, withExtension, taskClients, shared, log };
    return runRelay({ ...rest, ...options }, terminal);
  },
};
