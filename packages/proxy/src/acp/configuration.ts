import {
  type ClientContext,
  methods,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { type AgentConfiguration, refusal } from '../adapter.ts';
import { wordsOf } from './agent-process.ts';

/** What an agent has told of its settings. */
export interface Settings {
  readonly options: readonly SessionConfigOption[];
  readonly modes: SessionModeState | undefined;
}

export const NO_SETTINGS: Settings = { options: [], modes: undefined };

interface Told {
  readonly configOptions?: readonly SessionConfigOption[] | null;
  readonly modes?: SessionModeState | null;
}

export const settingsOf = ({ configOptions, modes }: Told): Settings => ({
  options: configOptions ?? [],
  modes: modes ?? undefined,
});

/** Undefined where the update is about something else. */
export function updatedSettings(settings: Settings, update: SessionUpdate): Settings | undefined {
  if (update.sessionUpdate === 'config_option_update') return { ...settings, options: update.configOptions };
  if (update.sessionUpdate !== 'current_mode_update' || settings.modes === undefined) return undefined;
  return { ...settings, modes: { ...settings.modes, currentModeId: update.currentModeId } };
}

export interface Selector {
  readonly configId: string;
  readonly current: string;
  readonly values: ReadonlyArray<{ readonly value: string; readonly name: string }>;
}

/** The setting of a category that offers a choice: there is no `session/set_model` in ACP. */
export function selectorOf({ options }: Settings, category: 'model' | 'mode'): Selector | undefined {
  const option = options.find((each) => each.type === 'select' && each.category === category);
  if (option?.type !== 'select') return undefined;
  const values = option.options.flatMap((each) => ('options' in each ? each.options : [each]));
  return { configId: option.id, current: option.currentValue, values };
}

export function modeOf(settings: Settings): { readonly id: string; readonly name: string } | undefined {
  const selector = selectorOf(settings, 'mode');
  if (selector !== undefined) {
    const { current: id, values } = selector;
    return { id, name: values.find(({ value }) => value === id)?.name ?? id };
  }
  const { modes } = settings;
  if (modes === undefined) return undefined;
  const { currentModeId: id, availableModes } = modes;
  return { id, name: availableModes.find((mode) => mode.id === id)?.name ?? id };
}

const MODES = { default: 'default', ask: 'ask', bypassPermissions: 'bypassPermissions' } as const;
const isKnown = (mode: string): mode is keyof typeof MODES => mode in MODES;

/** CHT-34, CHT-253 */
export function configurationOf(settings: Settings): AgentConfiguration {
  const model = selectorOf(settings, 'model');
  const mode = modeOf(settings);
  return {
    model_id: model?.current ?? 'unknown',
    ...(model && { available_models: model.values.map(({ value }) => value) }),
    ...(mode && {
      permission_mode: isKnown(mode.id) ? MODES[mode.id] : 'unknown',
      permission_mode_name: mode.name,
    }),
  };
}

export interface Wish {
  readonly category: 'model' | 'mode';
  readonly value: string;
}

/** The settings as the agent tells them afterwards. Refuses when they are not what was wished for. */
export async function changeSetting(
  agent: ClientContext,
  sessionId: string,
  settings: Settings,
  { category, value }: Wish,
): Promise<Settings> {
  const selector = selectorOf(settings, category);
  try {
    if (selector === undefined) {
      await agent.request(methods.agent.session.setMode, { sessionId, modeId: value });
      const { modes } = settings;
      return { ...settings, ...(modes && { modes: { ...modes, currentModeId: value } }) };
    }
    const { configId } = selector;
    if (!selector.values.some((each) => each.value === value)) {
      throw new Error(`It offers ${selector.values.map((each) => each.value).join(', ')}.`);
    }
    const told = await agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value });
    const changed = { ...settings, options: told.configOptions };
    const current = selectorOf(changed, category)?.current;
    if (current !== value) throw new Error(`It still uses ${current}.`);
    return changed;
  } catch (error) {
    const why = wordsOf(error).slice(0, 2_000);
    throw refusal('model_not_available', `The ${category} is not "${value}". ${why}`, error);
  }
}
