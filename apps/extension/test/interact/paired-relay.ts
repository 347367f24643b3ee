import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Brain, StepAnswer } from '@drawbridge/brain';
import { type Relay, type RelayOptions, startRelay } from '@drawbridge/relay';
import { onTestFinished } from 'vitest';
import type { InteractServer } from '../../src/interact/interact-server.ts';

export interface PairedRelay {
  readonly relay: Relay;
  readonly server: InteractServer;
  /** Paths requested by this device, in order. */
  readonly asked: readonly string[];
}

const NOTHING = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };

/** A scripted brain that finishes after its lines. */
export function scriptedBrain(lines: readonly StepAnswer[]): Brain {
  const left = [...lines];
  return {
    name: 'scripted',
    async step({ memory, now }) {
      const answer = left.shift() ?? { thought: 'Done.', action: 'finish()', status: 'completed' };
      const spent = memory?.spent ?? { ...NOTHING, steps: 0, began: now };
      return { answer, memory: { spent: { ...spent, steps: spent.steps + 1 } }, usage: NOTHING };
    },
  };
}

/** A relay that decides by rules by default, with this extension as a device. */
export async function startPairedRelay(options: Partial<RelayOptions> = {}): Promise<PairedRelay> {
  const data = await mkdtemp(join(tmpdir(), 'extension-'));
  const relay = await startRelay({ data, port: 0, env: {}, ...options });
  onTestFinished(async () => {
    await relay.close();
    await rm(data, { recursive: true, force: true });
  });
  const { token } = await relay.devices.mint({ roles: ['runtime'], label: 'Extension', by: 'machine' });
  const asked: string[] = [];
  const server: InteractServer = {
    url: relay.url,
    token,
    fetch: (url, init) => {
      asked.push(new URL(url).pathname);
      return fetch(url, init);
    },
  };
  return { relay, server, asked };
}
