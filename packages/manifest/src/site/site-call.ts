import { BridgeError } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { DEFAULT_TIMEOUT_MS, SITE_MODES, SITE_TOOL, type SiteMode } from './site-tool.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Selects one of the connected runtimes; empty when there is only one. */
export interface SiteRoute {
  readonly target_runtime_id?: string;
  readonly target_url_contains?: string;
}

/** A normalized call of `actions.site`. */
export interface SiteCall {
  readonly mode: SiteMode;
  readonly action?: string;
  readonly arguments: Fields;
  readonly projection_name?: string;
  readonly summary_name?: string;
  readonly max_bytes?: number;
  readonly timeout_ms: number;
  readonly route: SiteRoute;
}

export const ACTION_KEYS = ['action', 'action_name', 'name'];
const PROJECTION_KEYS = ['projection_name', 'projection', 'name'];
const OWN_KEYS = new Set([
  ...Object.keys(SITE_TOOL.input_schema.properties),
  ...ACTION_KEYS,
  ...PROJECTION_KEYS,
]);

/**
 * Accepts the variants that models send: other names for the action, the action inside `arguments`, JSON as
 * text.
 */
export function readSiteCall(input: unknown): SiteCall {
  const fields = objectFrom(input) ?? refuse('The input of actions.site must be an object.');
  const given = objectFrom(fields['arguments'] ?? {}) ?? refuse('`arguments` must be an object.');
  const mode = modeOf(fields, given);
  const isCall = mode === 'call';
  return {
    mode,
    ...(isCall ? calledAction(fields, given) : { arguments: {} }),
    ...(!isCall &&
      named('projection_name', textIn(fields, PROJECTION_KEYS) ?? textIn(given, PROJECTION_KEYS))),
    ...named('summary_name', textIn(fields, ['summary_name']) ?? textIn(given, ['summary_name'])),
    ...named('max_bytes', countIn(fields, 'max_bytes') ?? (isCall ? undefined : countIn(given, 'max_bytes'))),
    timeout_ms: countIn(fields, 'timeout_ms') ?? DEFAULT_TIMEOUT_MS,
    route: {
      ...named('target_runtime_id', textIn(fields, ['target_runtime_id'])),
      ...named('target_url_contains', textIn(fields, ['target_url_contains'])),
    },
  };
}

function modeOf(fields: Fields, given: Fields): SiteMode {
  const text = textIn(fields, ['mode']);
  if (text === undefined) return impliedMode({ ...given, ...fields });
  const wanted = text.toLowerCase().replaceAll('-', '_');
  const mode = SITE_MODES.find((each) => each === wanted);
  return (
    mode ?? refuse(`There is no mode "${text}". There are: ${SITE_MODES.join(', ')}.`, { modes: SITE_MODES })
  );
}

/** A call that names an action means `call`; one that names nothing means `list`. */
function impliedMode(named: Fields): SiteMode {
  if (textIn(named, ACTION_KEYS) !== undefined) return 'call';
  if (textIn(named, ['summary_name']) !== undefined) return 'state_summary';
  return textIn(named, PROJECTION_KEYS) === undefined ? 'list' : 'state_read';
}

function calledAction(fields: Fields, given: Fields): Pick<SiteCall, 'action' | 'arguments'> {
  const action = textIn(fields, ACTION_KEYS);
  if (action !== undefined) {
    // Arguments beside the action instead of inside `arguments`.
    const beside = without(fields, OWN_KEYS);
    return { action, arguments: fields['arguments'] === undefined ? beside : given };
  }
  const key = ACTION_KEYS.find((each) => typeof given[each] === 'string');
  if (key === undefined) return { arguments: given };
  const inner = objectFrom(given['arguments']) ?? without(given, new Set([key]));
  return { ...named('action', textIn(given, [key])), arguments: inner };
}

function objectFrom(value: unknown): Fields | undefined {
  if (isObject(value)) return value;
  if (typeof value !== 'string') return undefined;
  if (value.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function textIn(fields: Fields, keys: readonly string[]): string | undefined {
  const texts = keys.map((key) => (Object.hasOwn(fields, key) ? fields[key] : undefined));
  return texts.find((text): text is string => typeof text === 'string' && text !== '');
}

function countIn(fields: Fields, key: string): number | undefined {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (value === undefined || value === null) return undefined;
  const count = typeof value === 'string' ? Number(value) : value;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1) return count;
  return refuse(`\`${key}\` must be a whole number from 1.`);
}

const without = (fields: Fields, keys: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.has(key)));

function named<Key extends string, Value>(key: Key, value: Value | undefined): { [Name in Key]?: Value };
function named(key: string, value: unknown): Fields {
  return value === undefined ? {} : { [key]: value };
}

function refuse(message: string, evidence: Fields = {}): never {
  throw new BridgeError('invalid_input', message, { evidence });
}
