import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import {
  type AcpProfile,
  type AgentAdapter,
  type AgentRegister,
  createAcpAdapter,
  customProfile,
  findProfile,
  findProgram,
  profileNames,
  type Workspaces,
} from '@drawbridge/proxy';
import { UsageError } from '../command.ts';
import type { DataFolder } from '../live/data-folder.ts';
import type { AgentWish, ProxyWishes } from './proxy-arguments.ts';

/** Nobody looks at a phone at once; a permission that nobody gave by then is denied. */
const PROMPT_MS = 10 * 60_000;

export function profileOf({ name, command }: AgentWish): AcpProfile {
  if (command !== undefined) return customProfile(name, command);
  const profile = findProfile(name);
  if (profile !== undefined) return profile;
  throw new UsageError(
    `"${name}" is none of ${profileNames.join(', ')}. Give its command: --agent ${name}=COMMAND`,
  );
}

/** Those that were asked for, else those that are installed. */
export async function wantedProfiles({ agents }: ProxyWishes): Promise<readonly AcpProfile[]> {
  if (agents !== undefined) return agents.map(profileOf);
  const known = profileNames.map((name) => profileOf({ name }));
  const places = await Promise.all(known.map(({ command }) => findProgram(command[0])));
  return known.filter((_, place) => places[place] !== undefined);
}

export const adapterOf = (
  profile: AcpProfile,
  { earlier }: ProxyWishes,
  workspaces: Workspaces,
  { path }: DataFolder,
  register?: AgentRegister,
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
  });
