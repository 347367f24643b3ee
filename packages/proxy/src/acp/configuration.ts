import {
  type ClientContext,
  methods,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { type AgentConfiguration, refusal, type TargetPower } from '../adapter.ts';
import { wordsOf } from './agent-process.ts';

/** Settings as last reported by an agent. */
export interface Settings {
  readonly options: readonly SessionConfigOption[];
  readonly modes: SessionModeState | undefined;
}

export const NO_SETTINGS: Settings = { options: [], modes: undefined };

interface AppliedSetting {
  readonly configOptions?: readonly SessionConfigOption[] | null;
  readonly modes?: SessionModeState | null;
}

export const settingsOf = ({ configOptions, modes }: AppliedSetting): Settings => ({
  options: configOptions ?? [],
  modes: modes ?? undefined,
});

/** Undefined for updates about something else. */
export function updatedSettings(settings: Settings, update: SessionUpdate): Settings | undefined {
  if (update.sessionUpdate === 'config_option_update') return { ...settings, options: update.configOptions };
  if (update.sessionUpdate !== 'current_mode_update' || settings.modes === undefined) return undefined;
  return { ...settings, modes: { ...settings.modes, currentModeId: update.currentModeId } };
}

export interface Selector {
  readonly configId: string;
  readonly current: string;
  readonly values: ReadonlyArray<{
    readonly value: string;
    readonly name: string;
    readonly description?: string | null;
  }>;
}

/** The setting of a category with a choice; ACP has no `session/set_model`. */
export function selectorOf({ options }: Settings, category: 'model' | 'mode'): Selector | undefined {
  const option = options.find((each) => each.type === 'select' && each.category === category);
  if (option?.type !== 'select') return undefined;
  const values = option.options.flatMap((each) => ('options' in each ? each.options : [each]));
  return { configId: option.id, current: option.currentValue, values };
}

/** The choice of modes: a setting, or the older list of modes (`session/set_mode`). */
export function modesOf(settings: Settings): Omit<Selector, 'configId'> | undefined {
  const selector = selectorOf(settings, 'mode');
  if (selector !== undefined || settings.modes === undefined) return selector;
  const { currentModeId: current, availableModes } = settings.modes;
  return { current, values: availableModes.map(({ id, ...mode }) => ({ value: id, ...mode })) };
}

/** Powers of every ACP agent, and those that this agent has a setting for. */
export function powersOf(settings: Settings): ReadonlySet<TargetPower> {
  const powers = new Set<TargetPower>([
    'interrupt',
    'permission_dialogs',
    'questions',
    'attachments',
    'close',
  ]);
  if (selectorOf(settings, 'model') !== undefined) powers.add('set_model');
  if (modesOf(settings) !== undefined) powers.add('set_mode');
  return powers;
}

const MODES = { default: 'default', ask: 'ask', bypassPermissions: 'bypassPermissions' } as const;
const isKnown = (mode: string): mode is keyof typeof MODES => mode in MODES;

/** CHT-34, CHT-253 */
export function configurationOf(settings: Settings): AgentConfiguration {
  const model = selectorOf(settings, 'model');
  const modes = modesOf(settings);
  return {
    model_id: model?.current ?? 'unknown',
    ...(model && { available_models: model.values.map(({ value }) => value) }),
    ...(modes && {
      permission_mode: isKnown(modes.current) ? MODES[modes.current] : 'unknown',
      permission_mode_name: modes.values.find(({ value }) => value === modes.current)?.name ?? modes.current,
      mode_id: modes.current,
      available_modes: modes.values.map(({ value, name, description }) => ({
        mode_id: value,
        name,
        ...(description && { description }),
      })),
    }),
  };
}

export interface RequestedSetting {
  readonly category: 'model' | 'mode';
  readonly value: string;
}

/** Returns the settings that the agent reports afterwards. Refuses if they are not the requested ones. */
export async function changeSetting(
  agent: ClientContext,
  sessionId: string,
  settings: Settings,
  { category, value }: RequestedSetting,
): Promise<Settings> {
  const selector = selectorOf(settings, category);
  const offered = (selector ?? modesOf(settings))?.values.map((each) => each.value) ?? [];
  try {
    if (!offered.includes(value)) throw new Error(`It offers ${offered.join(', ')}.`);
    if (selector === undefined) {
      await agent.request(methods.agent.session.setMode, { sessionId, modeId: value });
      const { modes } = settings;
      return { ...settings, ...(modes && { modes: { ...modes, currentModeId: value } }) };
    }
    const { configId } = selector;
    const told = await agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value });
    const changed = { ...settings, options: told.configOptions };
    const current = selectorOf(changed, category)?.current;
    if (current !== value) throw new Error(`It still uses ${current}.`);
    return changed;
  } catch (error) {
    const why = wordsOf(error).slice(0, 2_000);
    throw refusal(`${category}_not_available`, `The ${category} is not "${value}". ${why}`, error);
  }
}
