import { type Command, UsageError } from '../command.ts';
import {
  BROWSER_HELP,
  BROWSER_OPTIONS,
  checkOptions,
  INSPECT_HELP,
  INSPECT_OPTIONS,
  readLiveArguments,
  readPort,
} from '../live/live-arguments.ts';
import { DEFAULT_PORT, isLoopback } from './reach.ts';
import { isLogTarget, logTarget } from './relay-log.ts';
import { readShared } from './shared-ledger.ts';

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

  --port PORT     ${DEFAULT_PORT} unless given; 0 for any
  --host ADDRESS  where to listen, this machine only unless
                  given; other machines connect by TLS
  --cert, --key   your own certificate; without them one is
                  made, and the pairing link has its hash
  --behind-proxy NAME
                  a proxy or tunnel with TLS is in front, at
                  the address NAME
  --database URL  postgres://…: a ledger that several relays
                  share, with --bus. One with a password goes
                  into DRAWBRIDGE_DATABASE, out of the process
                  list
  --bus URL       nats://…, several separated by commas: how
                  those relays exchange messages. One with a
                  password goes into DRAWBRIDGE_BUS
  --node-url URL  where the other relays reach this one, if
                  that is not where it listens
  --log file|stderr
                  where the log goes
  --no-browser    only the relay
  --extension     load the Chrome extension, if the browser
                  has a window and allows it
  --shop          open a demo shop to try things in
  --task-clients  let in extensions of the task protocol, too;
                  drawbridge task clients add makes the address
                  that they are given
  --url URL       where the browser's first tab goes
  --map FILE      a map to use where it fits; repeatable
${INSPECT_HELP}
${BROWSER_HELP}
  --json          one JSON object per line, first
                  {"event":"listening","url","pair_url","token"}

Example:
  drawbridge up --host 0.0.0.0`,

  async run(args, terminal) {
    const { values, positionals } = readLiveArguments(args, {
      ...BROWSER_OPTIONS,
      ...INSPECT_OPTIONS,
      map: { type: 'string', multiple: true },
      port: { type: 'string' },
      host: { type: 'string' },
      cert: { type: 'string' },
      key: { type: 'string' },
      'behind-proxy': { type: 'string' },
      database: { type: 'string' },
      bus: { type: 'string' },
      'node-url': { type: 'string' },
      log: { type: 'string' },
      'no-browser': { type: 'boolean' },
      shop: { type: 'boolean' },
      extension: { type: 'boolean' },
      'task-clients': { type: 'boolean' },
    });
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
