import type { Command } from '../command.ts';
import { optionLines } from '../options.ts';
import { readToken } from '../secret-arguments.ts';
import { PROXY_OPTIONS, readProxyArguments } from './proxy-arguments.ts';

export const proxy: Command = {
  name: 'proxy',
  summary: "steer this machine's coding agents from anywhere",
  help: `drawbridge proxy [--agent NAME]… [--workspace DIR]…
drawbridge proxy --relay URL [--token-file FILE]

Connects coding agents that speak ACP to the relay: people
start, instruct, answer and stop them there. It only dials out.
Press Ctrl-C to stop it. Conversations that an agent stores go
on when the proxy runs again.

${optionLines(PROXY_OPTIONS)}

drawbridge proxy doctor tells why an agent is missing.

Example:
  drawbridge proxy --agent opencode --workspace ~/shop`,

  async run(args, terminal) {
    const options = readProxyArguments(args);
    const { serveAgents } = await import('./served-agents.ts');
    return serveAgents(options, await readToken(options, terminal.stdin), terminal);
  },
};

/** The others are those of `drawbridge proxy`. */
const DOCTOR_OPTIONS = { json: { type: 'boolean', help: '{"about","ok","what","hint"} per line' } } as const;

export const proxyDoctor: Command = {
  name: 'proxy doctor',
  summary: 'find out why an agent is missing',
  help: `drawbridge proxy doctor [--agent NAME]… [--relay URL]

Looks for each agent's program, starts it, and shows its answer;
then checks that the relay accepts this machine. Takes the
options of drawbridge proxy. The exit code is 1 if no agent can
be steered.

${optionLines(DOCTOR_OPTIONS)}

Example:
  drawbridge proxy doctor --agent opencode`,

  async run(args, terminal) {
    const options = readProxyArguments(args);
    const { diagnose } = await import('./doctor.ts');
    return diagnose(options, await readToken(options, terminal.stdin), terminal);
  },
};

export const proxyService: Command = {
  name: 'proxy service',
  summary: 'print a service that keeps the proxy running',
  help: `drawbridge proxy service systemd|launchd [ARGUMENT]…

Prints a unit for systemd, or a property list for launchd, that
runs drawbridge proxy with these arguments as you. Nothing is
installed; the first lines say where it goes.

Example:
  drawbridge proxy service systemd --workspace ~/shop`,

  async run(args, terminal) {
    const { serviceLines } = await import('./service.ts');
    const [kind = '', ...rest] = args;
    readProxyArguments(rest);
    for (const line of serviceLines(kind, rest)) terminal.print(line);
    return 0;
  },
};
