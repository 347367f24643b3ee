import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, cpus, release, type as systemType, totalmem } from 'node:os';
import { findChromium } from '@drawbridge/testbed/find-chromium';
import type { Machine } from './record.ts';

/** Describes the hardware and software that figures depend on, without revealing whose machine it is. */
export function describeMachine(): Machine {
  const [first] = cpus();
  const [major, minor] = release().split('.');
  return {
    cores: cpus().length,
    processor: first?.model.trim() || 'of unknown make',
    memory_gib: Math.round(totalmem() / 1_073_741_824),
    system: `${systemType()} ${major}.${minor} ${arch()}`,
    node: process.versions.node,
    chromium: chromiumVersion(),
  };
}

function chromiumVersion(): string {
  const path = findChromium();
  if (path === undefined) return 'no Chromium';
  const said = execFileSync(path, ['--version'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return /[\w ]*Chrom\w+ [\d.]+/.exec(said)?.[0] ?? said.trim();
}

/** Versions of the peers, from the package.json of bench. */
export function peerVersions(packageFile: string): Readonly<Record<string, string>> {
  const { dependencies } = trustPackage(readFileSync(packageFile, 'utf8'));
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => PEERS.includes(name)));
}

const PEERS = ['@playwright/mcp', 'agent-browser', 'ajv', 'chrome-devtools-mcp', 'jsonata', 'rfc6902'];

function trustPackage(text: string): { readonly dependencies: Readonly<Record<string, string>> } {
  return JSON.parse(text) as { dependencies: Record<string, string> };
}
