import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@drawbridge/link';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { withheldVariables } from '@drawbridge/protocol';
import {
  type AcpProfile,
  type AgentAdapter,
  type AgentRegister,
  createAcpAdapter,
  createPanelAdapter,
  customProfile,
  findProfile,
  findProgram,
  type Lender,
  type LentTabs,
  profileNames,
  tabLender,
  type Workspaces,
} from '@drawbridge/proxy';
import { scriptedAgent } from '@drawbridge/proxy/scripted-agent';
import { UsageError } from '../command.ts';
import { thisInstallation } from '../connect/server-entry.ts';
import type { DataFolder } from '../live/data-folder.ts';
import type { AgentOption, ProxyOptions } from './proxy-arguments.ts';

/** Time to look at a phone; a permission is then denied. */
const PROMPT_MS = 10 * 60_000;

export function profileOf(option: AgentOption, { env }: Pick<ProxyOptions, 'env'>): AcpProfile {
  const profile = namedProfile(option);
  return { ...profile, inherits: [...(profile.inherits ?? []), ...env] };
}

/** Variables that none of these agents gets. */
export const withheldFrom = (profiles: readonly AcpProfile[]): readonly string[] =>
  withheldVariables(
    process.env,
    profiles.flatMap(({ inherits = [] }) => inherits),
  );

export const WITHHELD_HINT = "Add what agents need by its name, or several: --env NAME, --env 'AWS_*'";

function namedProfile({ name, command }: AgentOption): AcpProfile {
  if (command !== undefined) return customProfile(name, command);
  const profile = findProfile(name);
  if (profile !== undefined) return profile;
  if (name === DEMO_AGENT) return demoProfile();
  throw new UsageError(
    `"${name}" is none of ${profileNames.join(', ')}, ${DEMO_AGENT}. Give its command: --agent ${name}=COMMAND`,
  );
}

export const DEMO_AGENT = 'demo';

/** Answers every message alike: states its plan, asks, and works until stopped. */
const DEMO_SCRIPT = [
  'say I clear the build folder first, then I run the tests.',
  'ask quietly',
  'say Now the tests.',
  'slow npm test',
].join('; ');

/** An agent of our own that follows a script, to try things without a model. */
export function demoProfile(script = DEMO_SCRIPT): AcpProfile {
  const { command, env } = scriptedAgent({ script });
  return { ...customProfile(DEMO_AGENT, command), display_name: 'Scripted agent', env };
}

/** The requested agents, or all installed ones. */
export async function wantedProfiles(options: ProxyOptions): Promise<readonly AcpProfile[]> {
  const { agents } = options;
  if (agents !== undefined) return agents.map((agent) => profileOf(agent, options));
  const known = profileNames.map((name) => profileOf({ name }, options));
  const places = await Promise.all(known.map(({ command }) => findProgram(command[0])));
  return known.filter((_, index) => places[index] !== undefined);
}

export const adapterOf = (
  profile: AcpProfile,
  { earlier }: ProxyOptions,
  workspaces: Workspaces,
  { path }: DataFolder,
  register?: AgentRegister,
  relay?: LentTabs & { readonly data?: string },
): AgentAdapter =>
  createAcpAdapter({
    ...systemClock,
    newId: randomUUID,
    profile,
    workspaces: workspaces.all,
    attachments: join(path, 'proxy-attachments'),
    promptTimeoutMs: PROMPT_MS,
    earlierSessions: earlier,
    ...(register && { register }),
    ...(relay && { lend: { ...tabLender(relay), server: mcpCommand(relay.data ?? path) } }),
  });

/** Our MCP server, which trusts the certificate in this folder. */
function mcpCommand(data: string): Lender['server'] {
  const { command, args } = thisInstallation();
  return [command, ...args, '--data', data];
}

const PANEL_MAPS = fileURLToPath(new URL('../../../../maps/agents', import.meta.url));

/** One per panel map; none without a port. */
export async function panelAdapters(
  { panels }: ProxyOptions,
  workspaces: Workspaces,
): Promise<{ readonly adapters: readonly AgentAdapter[]; readonly close: () => Promise<void> }> {
  if (panels.length === 0) return { adapters: [], close: async () => {} };
  const evaluator = createWorkerEvaluator();
  const names = await readdir(PANEL_MAPS);
  const adapters = await Promise.all(
    names.map((name) =>
      createPanelAdapter({
        ...systemClock,
        newId: randomUUID,
        evaluator,
        map: join(PANEL_MAPS, name, 'actions.json'),
        endpoints: panels,
        workspaces: workspaces.all,
      }),
    ),
  );
  return { adapters, close: () => evaluator.close() };
}
