import { isVariable } from '@drawbridge/protocol';
import { UsageError } from '../command.ts';
import { type Options, readOptions } from '../options.ts';
import { refuseLinkArgument, refuseTokenArgument } from '../secret-arguments.ts';

export const PROXY_OPTIONS = {
  agent: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'claude, codex, gemini, opencode or copilot; demo, which follows a script; or NAME=COMMAND, words or a JSON list, for any other; repeatable. Unless given, all of the first five that are installed',
  },
  panels: {
    type: 'string',
    multiple: true,
    value: 'PORT',
    help: 'the debugging port of an editor or app whose chat panels (Claude Code, Codex, Gemini) are steered too; repeatable',
  },
  workspace: {
    type: 'string',
    multiple: true,
    value: 'DIR',
    help: 'where agents may start, subfolders included; repeatable; the first is the default. Unless given, the current folder',
  },
  env: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: "a variable of yours that agents get, or several ('AWS_*'); repeatable. Without it they get ordinary ones (PATH, HOME, LANG, JAVA_HOME, …) and those of their own provider (claude: ANTHROPIC_*, CLAUDE_*)",
  },
  relay: {
    type: 'string',
    value: 'URL',
    help: 'a relay elsewhere. Unless given, the relay of the data folder',
  },
  token: { type: 'string' },
  'token-file': {
    type: 'string',
    value: 'FILE',
    help: 'holds the token or the link of drawbridge pair --role proxy. --token - reads it from standard input; DRAWBRIDGE_TOKEN holds it, too',
  },
  label: { type: 'string', value: 'NAME', help: 'what this machine is called (its host name)' },
  earlier: {
    type: 'string',
    value: 'N',
    help: 'also show N earlier sessions of each agent in each workspace (0)',
  },
  data: { type: 'string', value: 'DIR', help: 'data folder (DRAWBRIDGE_HOME, or ~/.drawbridge)' },
  json: { type: 'boolean', help: 'one JSON object per line: relay, session, delivery, closed and alarm' },
} as const satisfies Options;

export interface AgentOption {
  readonly name: string;
  /** Absent for a known agent. */
  readonly command?: readonly [string, ...string[]];
}

export interface ProxyOptions {
  /** Undefined for all installed ones. */
  readonly agents: readonly AgentOption[] | undefined;
  /** Debugging ports of editors and apps with agent panels. */
  readonly panels: readonly string[];
  readonly workspaces: readonly string[];
  /** Names or prefixes (`AWS_*`) of additional variables for agents. */
  readonly env: readonly string[];
  readonly relay: string | undefined;
  /** `-` for standard input; a token itself is refused. */
  readonly token: string | undefined;
  readonly 'token-file': string | undefined;
  readonly label: string | undefined;
  readonly earlier: number;
  readonly data: string | undefined;
  readonly json: boolean;
}

export function readProxyArguments(args: readonly string[]): ProxyOptions {
  const { values, positionals } = readOptions(args, PROXY_OPTIONS);
  if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
  const { relay, earlier = '0' } = values;
  if (relay !== undefined && !/^https?:\/\/./.test(relay))
    throw new UsageError('--relay takes an address such as https://relay.example.');
  if (!/^\d{1,3}$/.test(earlier)) throw new UsageError(`--earlier takes a number, not "${earlier}".`);
  refuseTokenArgument(values.token);
  refuseLinkArgument('--relay', relay);
  return {
    agents: values.agent?.map(readAgent),
    panels: (values.panels ?? []).map(readPanels),
    workspaces: values.workspace ?? [process.cwd()],
    env: (values.env ?? []).map(readVariable),
    relay,
    token: values.token,
    'token-file': values['token-file'],
    label: values.label,
    earlier: Number(earlier),
    data: values.data,
    json: values.json === true,
  };
}

/** Names only: a value would show in the process list. */
function readVariable(text: string): string {
  if (!/^[A-Za-z_]\w*\*?$/.test(text))
    throw new UsageError(
      "--env takes the name of a variable, such as OPENAI_API_KEY or 'AWS_*', without a value.",
    );
  if (isVariable('DRAWBRIDGE_TOKEN', text))
    throw new UsageError("DRAWBRIDGE_TOKEN is the proxy's own. No agent gets it.");
  return text;
}

/** `9223`, or another debugging address. */
function readPanels(text: string): string {
  if (/^\d{1,5}$/.test(text)) return `http://127.0.0.1:${text}`;
  if (URL.canParse(text) && new URL(text).protocol === 'http:') return text.replace(/\/$/, '');
  throw new UsageError(`--panels takes a debugging port such as 9223, not "${text}".`);
}

/** `claude`, `mine=node agent.js` or `mine=["node","my agent.js"]`. No shell reads it. */
function readAgent(text: string): AgentOption {
  const [, name, line] = /^([A-Za-z][\w-]{0,60})(?:=(.+))?$/s.exec(text) ?? [];
  if (name === undefined) throw new UsageError(`--agent takes NAME or NAME=COMMAND, not "${text}".`);
  if (line === undefined) return { name };
  const words = line.startsWith('[') ? parseList(line) : line.split(/\s+/).filter((word) => word !== '');
  const [program, ...rest] = words;
  if (program === undefined) throw new UsageError(`--agent ${name}= names no program.`);
  return { name, command: [program, ...rest] };
}

function parseList(text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every((word) => typeof word === 'string')) return list;
  } catch {
    // Reported below.
  }
  throw new UsageError(`${text} is no JSON list of words.`);
}
