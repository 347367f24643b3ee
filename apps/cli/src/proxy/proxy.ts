import type { Command } from '../command.ts';
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

  --agent NAME     claude, codex, gemini, opencode or copilot;
                   demo, which follows a script; or
                   NAME=COMMAND, words or a JSON list, for any
                   other; repeatable. Unless given, all of the
                   first five that are installed
  --panels PORT    the debugging port of an editor or app whose
                   chat panels (Claude Code, Codex, Gemini) are
                   steered too; repeatable
  --workspace DIR  where agents may start, subfolders included;
                   repeatable; the first is the default. Unless
                   given, the current folder
  --env NAME       a variable of yours that agents get, or
                   several ('AWS_*'); repeatable. Without it
                   they get ordinary ones (PATH, HOME, LANG,
                   JAVA_HOME, …) and those of their own
                   provider (claude: ANTHROPIC_*, CLAUDE_*)
  --relay URL      a relay elsewhere. Unless given, the relay of
                   the data folder
  --token-file FILE
                   holds the token or the link of drawbridge
                   pair --role proxy. --token - reads it from
                   standard input; DRAWBRIDGE_TOKEN holds it, too
  --label NAME     what this machine is called (its host name)
  --earlier N      also show N earlier sessions of each agent
                   in each workspace (0)
  --data DIR       data folder (DRAWBRIDGE_HOME, or
                   ~/.drawbridge)
  --json           one JSON object per line: relay, session,
                   delivery, closed and alarm

drawbridge proxy doctor tells why an agent is missing.

Example:
  drawbridge proxy --agent opencode --workspace ~/shop`,

  async run(args, terminal) {
    const options = readProxyArguments(args, PROXY_OPTIONS);
    const { serveAgents } = await import('./served-agents.ts');
    return serveAgents(options, await readToken(options, terminal.stdin), terminal);
  },
};

export const proxyDoctor: Command = {
  name: 'proxy doctor',
  summary: 'find out why an agent is missing',
  help: `drawbridge proxy doctor [--agent NAME]… [--relay URL]

Looks for each agent's program, starts it, and shows its answer;
then checks that the relay accepts this machine. Takes the
options of drawbridge proxy. The exit code is 1 if no agent can
be steered.

  --json  {"about","ok","what","hint"} per line

Example:
  drawbridge proxy doctor --agent opencode`,

  async run(args, terminal) {
    const options = readProxyArguments(args, PROXY_OPTIONS);
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
    readProxyArguments(rest, PROXY_OPTIONS);
    for (const line of serviceLines(kind, rest)) terminal.print(line);
    return 0;
  },
};
