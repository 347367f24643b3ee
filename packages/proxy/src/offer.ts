import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FrameOf } from '@drawbridge/link/chat';
import type { AgentAdapter, AgentOffer } from './adapter.ts';
import type { Workspaces } from './workspaces.ts';

type Offer = Pick<FrameOf<'proxy_offer'>, 'type' | 'agents' | 'workspaces'>;

interface OfferOptions {
  readonly adapters: readonly AgentAdapter[];
  readonly workspaces: Workspaces;
  /** Called with each offer that differs from the last one. */
  readonly onChange: (offer: Offer) => void;
}

export type OfferSource = ReturnType<typeof createOfferSource>;

/** Lists the agents and folders that a person can choose from (CHT-306). */
export function createOfferSource({ adapters, workspaces, onChange }: OfferOptions) {
  let current: Offer | undefined;
  const read = async (): Promise<Offer> => {
    const agents: AgentOffer[] = [];
    // One after another: each starts a process.
    for (const adapter of adapters) {
      const agent = await adapter.offer?.().catch(() => undefined);
      if (agent !== undefined) agents.push(agent);
    }
    const folders = workspaces.all.map(async (path) => {
      const branch = await branchOf(path);
      return { path, ...(branch !== undefined && { branch }) };
    });
    return { type: 'proxy_offer', agents, workspaces: await Promise.all(folders) };
  };
  return {
    current: (): Offer | undefined => current,
    async refresh(): Promise<void> {
      const next = await read();
      if (JSON.stringify(next) === JSON.stringify(current)) return;
      current = next;
      onChange(next);
    },
  };
}

/** The checked-out branch, without starting git; undefined outside of a repository. */
export async function branchOf(folder: string): Promise<string | undefined> {
  try {
    const path = join(folder, '.git');
    // A worktree has a file that names its folder.
    const own = (await stat(path)).isDirectory() ? path : await linkedFolder(path, folder);
    const [, branch] = /^ref: refs\/heads\/(.+)$/m.exec(await readFile(join(own, 'HEAD'), 'utf8')) ?? [];
    return branch?.trim();
  } catch {
    return undefined;
  }
}

async function linkedFolder(file: string, folder: string): Promise<string> {
  const [, linked = ''] = /^gitdir: (.+)$/m.exec(await readFile(file, 'utf8')) ?? [];
  return resolve(folder, linked.trim());
}
