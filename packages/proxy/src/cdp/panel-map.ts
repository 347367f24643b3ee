import type { AgentType } from '@drawbridge/protocol';
import { isObject, type Manifest } from '@drawbridge/protocol/manifest';
import type { KindPower, TargetPower } from '../adapter.ts';

/** Names that the adapter uses in a panel's map. The map defines everything else. */
export const TOOLS = {
  send: 'chat.send',
  attach: 'chat.attach',
  clear: 'chat.clear',
  interrupt: 'chat.interrupt',
  fresh: 'chat.new',
  answer: 'chat.answer',
  models: 'chat.list_models',
  setModel: 'chat.set_model',
  modes: 'chat.list_modes',
  setMode: 'chat.set_mode',
} as const;

export const STATES = {
  transcript: 'chat.transcript',
  composer: 'chat.composer',
  permission: 'chat.permission',
  config: 'chat.config',
  activity: 'chat.activity',
} as const;

/** `surface.x_panel` of a map: the agent, and a part of its address. */
export interface PanelKind {
  readonly agent: string;
  readonly display_name: string;
  readonly url_contains: readonly string[];
}

export function panelKindOf(map: Manifest): PanelKind | undefined {
  const told: unknown = Reflect.get(map.surface ?? {}, 'x_panel');
  if (!isObject(told)) return undefined;
  const { agent, url_contains } = told;
  if (typeof agent !== 'string' || !Array.isArray(url_contains)) return undefined;
  return {
    agent,
    display_name: map.surface?.name ?? agent,
    url_contains: url_contains.filter((part): part is string => typeof part === 'string'),
  };
}

const TYPES: ReadonlySet<string> = new Set(['claude', 'codex', 'gemini']);
const isType = (name: string): name is AgentType => TYPES.has(name);

/** CHT-34 */
export const agentTypeOf = ({ agent }: PanelKind): AgentType => (isType(agent) ? agent : 'unknown');

const hasTool = ({ tools }: Manifest, name: string): boolean => tools.some((tool) => tool.name === name);

export const hasState = ({ state_projections = [] }: Manifest, name: string): boolean =>
  state_projections.some((projection) => projection.name === name);

/** A power needs a tool in the map. */
export function targetPowers(map: Manifest): ReadonlySet<TargetPower> {
  const powers = new Set<TargetPower>();
  if (hasTool(map, TOOLS.attach)) powers.add('attachments');
  if (hasTool(map, TOOLS.interrupt)) powers.add('interrupt');
  if (hasTool(map, TOOLS.setModel) && hasTool(map, TOOLS.models)) powers.add('set_model');
  if (hasTool(map, TOOLS.setMode) && hasTool(map, TOOLS.modes)) powers.add('set_mode');
  if (hasTool(map, TOOLS.answer) && hasState(map, STATES.permission)) powers.add('permission_dialogs');
  return powers;
}

export const kindPowers = (map: Manifest): ReadonlySet<KindPower> =>
  new Set<KindPower>(hasTool(map, TOOLS.fresh) ? ['discover', 'launch'] : ['discover']);

/** Steps before the last press: if one of them fails, nothing was triggered. */
export function stepsBeforePress(map: Manifest, name: string): ReadonlySet<string> {
  const steps = map.tools.find((tool) => tool.name === name)?.workflow?.steps ?? [];
  const press = steps.findLastIndex(({ primitive }) => /^element\.(?:click|keys)$/.test(primitive));
  return new Set(steps.slice(0, Math.max(0, press)).map(({ id }) => id));
}
