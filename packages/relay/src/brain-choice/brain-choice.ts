import type { Brain } from '@drawbridge/brain';
import type { ModelSettings } from '@drawbridge/brain/models';
import { readModelFile, writeModelFile } from './model-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface BrainChoiceOptions {
  /** The relay's folder. */
  readonly data: string;
  readonly env: Environment;
}

/** What people may know of it: never the key. */
export interface ModelView {
  readonly source: 'settings' | 'environment' | 'rules';
  readonly provider?: string;
  readonly model?: string;
  readonly base_url?: string;
  readonly has_key: boolean;
  /** What keeps it from deciding: a variable that is missing or cannot be read. */
  readonly problem?: string;
}

/** What decides: the model that an owner chose, else the one that the environment names, else rules. */
export interface BrainChoice {
  readonly brain: Brain;
  readonly view: () => Promise<ModelView>;
  /** Undefined goes back to what the environment says. */
  readonly choose: (settings: ModelSettings | undefined) => Promise<void>;
  readonly chosen: () => Promise<ModelSettings | undefined>;
}

interface Found {
  readonly source: ModelView['source'];
  readonly settings?: ModelSettings;
}

export function createBrainChoice({ data, env }: BrainChoiceOptions): BrainChoice {
  let made: Promise<Brain> | undefined;

  const find = async (): Promise<Found> => {
    const settings = await readModelFile(data);
    if (settings !== undefined) return { source: 'settings', settings };
    const { modelSettingsFrom } = await import('@drawbridge/brain/models');
    const named = modelSettingsFrom(env);
    return named === undefined ? { source: 'rules' } : { source: 'environment', settings: named };
  };

  /** Loaded when something is to be decided: a relay that only carries messages starts without it. */
  const make = async (): Promise<Brain> => {
    const { settings } = await find();
    const { createBrain, createRulePlanner } = await import('@drawbridge/brain');
    if (settings === undefined) return createRulePlanner();
    const { createModel } = await import('@drawbridge/brain/models');
    return createBrain({ model: createModel(settings) });
  };

  const loaded = (): Promise<Brain> => {
    made ??= make().catch((error: unknown) => {
      // What is wrong may be put right before the next step.
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
        if (error instanceof ModelSettingsError) return error;
        throw error;
      });
      if (found instanceof ModelSettingsError) {
        return { source: 'environment', has_key: false, problem: found.message };
      }
      const { source, settings } = found;
      if (settings === undefined) return { source, has_key: false };
      const { provider, model, baseUrl, apiKey } = settings;
      return {
        ...{ source, provider, model, has_key: apiKey !== undefined },
        ...(baseUrl !== undefined && { base_url: baseUrl }),
      };
    },
    async choose(settings) {
      await writeModelFile(data, settings);
      made = undefined;
    },
    chosen: () => readModelFile(data),
  };
}
