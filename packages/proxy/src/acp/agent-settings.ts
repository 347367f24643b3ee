import type { SessionUpdate } from '@agentclientprotocol/sdk';
import {
  type AgentConfiguration,
  type ConfigurationChange,
  requirePower,
  type TargetPower,
} from '../adapter.ts';
import type { Awake } from './agent-life.ts';
import {
  changeSetting,
  configurationOf,
  NO_SETTINGS,
  powersOf,
  type Settings,
  updatedSettings,
} from './configuration.ts';

interface AgentSettingsOptions {
  readonly name: string;
  readonly onChange: (configuration: AgentConfiguration) => void;
}

/** Holds an agent's last reported settings, and changes them. */
export function createAgentSettings({ name, onChange }: AgentSettingsOptions) {
  let settings = NO_SETTINGS;
  const set = (next: Settings): void => {
    settings = next;
    onChange(configurationOf(next));
  };
  return {
    get powers(): ReadonlySet<TargetPower> {
      return powersOf(settings);
    },
    get configuration(): AgentConfiguration {
      return configurationOf(settings);
    },
    set,
    receive(update: SessionUpdate): void {
      const next = updatedSettings(settings, update);
      if (next !== undefined) set(next);
    },
    async change({ process, sessionId }: Awake, wish: ConfigurationChange): Promise<AgentConfiguration> {
      const isModel = 'model' in wish;
      requirePower(powersOf(settings), isModel ? 'set_model' : 'set_mode', name);
      const change = isModel
        ? ({ category: 'model', value: wish.model } as const)
        : ({ category: 'mode', value: wish.mode } as const);
      set(await changeSetting(process.agent, sessionId, settings, change));
      return configurationOf(settings);
    },
  };
}
