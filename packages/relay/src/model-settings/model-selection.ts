import type { Brain, Step, StepInput } from '@drawbridge/brain';
import type { ModelSettings } from '@drawbridge/brain/models';
import type { ModelView } from '@drawbridge/protocol/http';
import type { PrivateFiles } from '../devices/private-file.ts';
import { ModelFileError, readModelFile, writeModelFile } from './model-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ModelSelectionOptions {
  readonly secrets: PrivateFiles;
  readonly env: Environment;
}

/** The decider: the model that an owner chose, else the one from the environment, else rules. */
export interface ModelSelection {
  readonly brain: Brain;
  readonly view: () => Promise<ModelView>;
  /** Undefined returns to the environment's model. */
  readonly choose: (settings: ModelSettings | undefined) => Promise<void>;
  readonly chosen: () => Promise<ModelSettings | undefined>;
}

interface Found {
  readonly source: ModelView['source'];
  readonly settings?: ModelSettings;
}

export function createModelSelection({ secrets, env }: ModelSelectionOptions): ModelSelection {
  let made: Promise<Brain> | undefined;

  const find = async (): Promise<Found> => {
    const settings = await readModelFile(secrets);
    if (settings !== undefined) return { source: 'settings', settings };
    const { modelSettingsFrom } = await import('@drawbridge/brain/models');
    const named = modelSettingsFrom(env);
    return named === undefined ? { source: 'rules' } : { source: 'environment', settings: named };
  };

  /** Imported on first use: a relay that only carries messages starts without it. */
  const make = async (): Promise<Brain> => {
    const { settings } = await find();
    const { createBrain, createRulePlanner } = await import('@drawbridge/brain');
    if (settings === undefined) return createRulePlanner();
    const { createModel } = await import('@drawbridge/brain/models');
    const model = createModel(settings);
    const { price } = settings;
    const prices = price && { prices: { [model.id]: price } };
    const brain = createBrain({ model, ...prices });
    // Without a price the cost limit cannot be enforced, so the step is refused.
    const step: Brain['step'] = (input, options) =>
      input.budgets?.cost !== undefined && price === undefined
        ? withoutPrice(input)
        : brain.step(input, options);
    return { ...brain, step };
  };

  const loaded = () => {
    made ??= make().catch((error: unknown) => {
      // The cause may be fixed before the next step.
      made = undefined;
      throw error;
    });
    return made;
  };

  return {
    brain: {
      name: 'drawbridge',
      step: async (input, options) => (await loaded()).step(input, options),
    },
    async view() {
      const { ModelSettingsError } = await import('@drawbridge/brain/models');
      const found = await find().catch((error: unknown) => {
        if (error instanceof ModelSettingsError || error instanceof ModelFileError) return error;
        throw error;
      });
      if (found instanceof Error) {
        const source = found instanceof ModelFileError ? 'settings' : 'environment';
        return { source, has_key: false, problem: found.message };
      }
      const { source, settings } = found;
      if (settings === undefined) return { source, has_key: false };
      const { provider, model, baseUrl, apiKey, price } = settings;
      return {
        ...{ source, provider, model, has_key: apiKey !== undefined },
        ...(baseUrl !== undefined && { base_url: baseUrl }),
        ...(price !== undefined && { price }),
      };
    },
    async choose(settings) {
      await writeModelFile(secrets, settings);
      made = undefined;
    },
    chosen: () =>
      readModelFile(secrets).catch((error: unknown) => {
        if (error instanceof ModelFileError) return undefined;
        throw error;
      }),
  };
}

const NO_PRICE =
  'The task has a max_cost, and what its model costs is unknown. Set the price of the model, or leave out max_cost.';

async function withoutPrice({ memory, now }: StepInput): Promise<Step> {
  const usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };
  return {
    answer: { thought: NO_PRICE, action: 'fail()', status: 'failed' },
    memory: memory ?? { spent: { ...usage, steps: 0, began: now } },
    usage,
  };
}
