import type { Brain, Step, StepAnswer, StepInput, StepOptions } from '@drawbridge/brain';
import { expect } from 'vitest';
import type { TestDevice, TestRelay } from '../server/test-relay.ts';
import { startTestRelay, type TestRelayOptions } from '../server/test-relay.ts';

export type Script = (input: StepInput, options: StepOptions) => StepAnswer | Promise<StepAnswer>;

export interface ScriptedBrain extends Brain {
  /** All inputs, in order. */
  readonly inputs: readonly StepInput[];
}

/** A brain that follows the test's script and counts its steps in the memory. */
export function scriptedBrain(script: Script): ScriptedBrain {
  const inputs: StepInput[] = [];
  return {
    name: 'scripted',
    inputs,
    async step(input, options = {}): Promise<Step> {
      inputs.push(input);
      const answer = await script(input, options);
      const before = input.memory?.spent ?? { ...NOTHING, steps: 0, began: input.now };
      const plan = answer.plan ?? input.memory?.plan;
      const memory = {
        ...(plan && { plan }),
        spent: { ...before, steps: before.steps + 1 },
        note: answer.status,
      };
      return { answer, memory, usage: NOTHING };
    },
  };
}

const NOTHING = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };

export const CLICK: StepAnswer = {
  thought: 'I press it.',
  action: 'click(42)',
  actionDetails: { name: 'click', elementId: 42 },
  status: 'executing',
};
export const FINISH: StepAnswer = { thought: 'Done.', action: 'finish()', status: 'completed' };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the relay answered; tests look into it.
  readonly body: any;
}

export interface InteractHarness {
  readonly relay: TestRelay;
  readonly device: TestDevice;
  readonly brain: ScriptedBrain;
  readonly call: (body: unknown, headers?: Record<string, string>) => Promise<Answer>;
  readonly get: (path: string, as?: TestDevice) => Promise<Answer>;
  readonly ask: (path: string, init: RequestInit, as?: TestDevice) => Promise<Answer>;
}

/** A relay with this brain, and a runtime that calls it over HTTP. */
export async function startInteract(
  script: Script = () => CLICK,
  options: TestRelayOptions = {},
): Promise<InteractHarness> {
  const brain = scriptedBrain(script);
  const relay = await startTestRelay({ brain: () => brain, ...options });
  const device = await relay.mint('runtime');
  const ask = async (path: string, init: RequestInit, as = device): Promise<Answer> => {
    const headers = { authorization: `Bearer ${as.token}`, ...Object.fromEntries(new Headers(init.headers)) };
    const response = await fetch(`${relay.url}${path}`, { ...init, headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    relay,
    device,
    brain,
    ask,
    get: (path, as) => ask(path, {}, as),
    call: (body, headers = {}) =>
      ask('/api/agent/interact', {
        method: 'POST',
        headers,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

/** A first call, as a client of the contract makes it. */
export const FIRST = {
  url: 'https://www.google.com/search',
  query: 'Search for SpaceX',
  domMode: 'semantic',
  interactiveTree: [
    { i: '42', r: 'btn', n: 'Search' },
    { i: '13', r: 'inp', n: 'Query', v: '' },
  ],
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const anyUuid = expect.stringMatching(UUID);
