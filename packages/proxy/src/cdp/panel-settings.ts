import {
  type AgentConfiguration,
  type ConfigurationChange,
  refusal,
  requirePower,
  type TargetPower,
} from '../adapter.ts';
import type { Panel } from './panel.ts';
import { TOOLS } from './panel-map.ts';

interface PanelSettingsOptions {
  readonly agent: string;
  /** The conversation's current panel. */
  readonly panel: () => Panel;
  readonly powers: () => ReadonlySet<TargetPower>;
}

type Category = 'model' | 'mode';

const LISTED = {
  model: { power: 'set_model', list: TOOLS.models, choose: TOOLS.setModel },
  mode: { power: 'set_mode', list: TOOLS.modes, choose: TOOLS.setMode },
} as const;

/** Choices of a panel, read from the lists that it opens. */
export function createPanelSettings({ agent, panel, powers }: PanelSettingsOptions) {
  const offered: Partial<Record<Category, readonly string[]>> = {};

  const list = async (category: Category): Promise<void> => {
    const tool = LISTED[category].list;
    try {
      offered[category] = trustNames(await panel().call(tool), category);
    } catch (error) {
      await panel().blame(tool, error);
    }
  };

  const now = (): AgentConfiguration => {
    const { model = 'unknown', mode, permission = mode } = panel().view ?? {};
    const { model: models, mode: modes } = offered;
    return {
      model_id: model,
      ...(models && { available_models: [...models] }),
      ...(mode !== undefined && { permission_mode_name: mode }),
      ...(permission !== undefined && { permission_mode: modeOf(permission) }),
      ...(mode !== undefined && modes && { mode_id: mode }),
      ...(modes && { available_modes: modes.map((name) => ({ mode_id: name, name })) }),
    };
  };

  return {
    now,
    /** Opens an unread list, unless the agent is working. */
    async read(isIdle: () => boolean): Promise<AgentConfiguration> {
      for (const category of ['model', 'mode'] as const) {
        const isOpen = powers().has(LISTED[category].power) && offered[category] === undefined;
        if (isOpen && isIdle()) await list(category);
      }
      return now();
    },
    async choose(wish: ConfigurationChange): Promise<AgentConfiguration> {
      const [category, value] =
        'model' in wish ? (['model', wish.model] as const) : (['mode', wish.mode] as const);
      const { power, choose } = LISTED[category];
      requirePower<TargetPower>(powers(), power, agent);
      await list(category);
      if (offered[category]?.includes(value) !== true) {
        const names = offered[category]?.join(', ') ?? 'none that could be read';
        throw refusal(`${category}_not_available`, `The panel offers no ${value}. It offers: ${names}.`);
      }
      try {
        await panel().call(choose, { [category]: value });
      } catch (error) {
        await panel().blame(choose, error);
        const why = error instanceof Error ? error.message : '';
        throw refusal('selector_failure', `The ${category} was not changed. ${why}`, error);
      }
      return now();
    },
  };
}

const MODES = { default: 'default', ask: 'ask', bypassPermissions: 'bypassPermissions' } as const;
const isMode = (mode: string): mode is keyof typeof MODES => mode in MODES;
const modeOf = (mode: string) => (isMode(mode) ? MODES[mode] : ('unknown' as const));

function trustNames(output: unknown, category: Category): readonly string[] {
  return (output as Readonly<Record<string, readonly string[]>>)[`${category}s`] ?? [];
}
