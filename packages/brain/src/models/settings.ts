import { MODEL_KEY_VARIABLES } from '@drawbridge/protocol';
import type { Price } from '../model.ts';

export const PROVIDERS = ['anthropic', 'openai', 'google', 'compatible'] as const;

export type ProviderName = (typeof PROVIDERS)[number];

export interface ModelSettings {
  readonly provider: ProviderName;
  readonly model: string;
  /** Optional for a compatible server on the same machine. */
  readonly apiKey?: string;
  /** Ends in `/v1`, as usual for such servers. Required for `compatible`. */
  readonly baseUrl?: string;
  /** Retries of a busy or failing provider. */
  readonly maxRetries?: number;
  /** Per answer, including retries. */
  readonly timeoutMs?: number;
  /** Without it the cost is unknown: prices change, so none is built in. */
  readonly price?: Price;
}

/** Thrown before any request; names variables, never their values. */
export class ModelSettingsError extends Error {
  override readonly name = 'ModelSettingsError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

const KEYS: Readonly<Record<ProviderName, readonly string[]>> = MODEL_KEY_VARIABLES;

/** Default model for each provider's key. DRAWBRIDGE_MODEL overrides it. */
const DEFAULT_MODELS: readonly (readonly [ProviderName, string])[] = [
  ['anthropic', 'claude-sonnet-5-5'],
  ['openai', 'gpt-5.6'],
  ['google', 'gemini-flash-latest'],
];

/** Undefined when nothing is set, which means no model. */
export function modelSettingsFrom(env: Environment): ModelSettings | undefined {
  const chosen = env['DRAWBRIDGE_MODEL']?.trim();
  const baseUrl = addressIn(env['DRAWBRIDGE_MODEL_URL']?.trim());
  const price = priceIn(env['DRAWBRIDGE_MODEL_PRICE']?.trim());
  if (chosen) return withKey({ ...readChoice(chosen, baseUrl), ...price }, env);
  if (baseUrl !== undefined)
    throw new ModelSettingsError('DRAWBRIDGE_MODEL_URL is set: say which model there in DRAWBRIDGE_MODEL.');
  const found = DEFAULT_MODELS.find(([provider]) => keyOf(provider, env) !== undefined);
  return found && withKey({ provider: found[0], model: found[1], ...price }, env);
}

/** `anthropic/claude-…`; with a URL also a bare model name with slashes: `meta-llama/Llama-3`. */
function readChoice(chosen: string, baseUrl: string | undefined): ModelSettings {
  const slash = chosen.indexOf('/');
  const provider = PROVIDERS.find((name) => name === chosen.slice(0, slash));
  const model = provider === undefined ? chosen : chosen.slice(slash + 1);
  if (model === '') throw new ModelSettingsError(`DRAWBRIDGE_MODEL names no model: ${CHOICE}`);
  if (provider !== undefined && provider !== 'compatible')
    return { provider, model, ...(baseUrl !== undefined && { baseUrl }) };
  if (baseUrl === undefined && provider === undefined)
    throw new ModelSettingsError(`DRAWBRIDGE_MODEL names no provider that is known: ${CHOICE}`);
  if (baseUrl === undefined)
    throw new ModelSettingsError(
      'A compatible model needs DRAWBRIDGE_MODEL_URL, such as http://127.0.0.1:11434/v1.',
    );
  return { provider: 'compatible', model, baseUrl };
}

const CHOICE = `write provider/model, the provider being one of ${PROVIDERS.join(', ')}.`;

function withKey(settings: ModelSettings, env: Environment): ModelSettings {
  const apiKey = keyOf(settings.provider, env);
  if (apiKey !== undefined) return { ...settings, apiKey };
  if (settings.provider === 'compatible') return settings;
  throw new ModelSettingsError(
    `${settings.provider}/${settings.model} needs ${KEYS[settings.provider].join(' or ')}.`,
  );
}

const keyOf = (provider: ProviderName, env: Environment): string | undefined =>
  KEYS[provider].map((name) => env[name]?.trim()).find((key) => key);

function addressIn(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new ModelSettingsError('DRAWBRIDGE_MODEL_URL must be an http or https address.');
  return text.replace(/\/+$/, '');
}

/** US dollars per million tokens; a higher price is a typo. */
const DEAREST = 10_000;

const isPrice = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= DEAREST;

function priceIn(text: string | undefined): Pick<ModelSettings, 'price'> {
  if (!text) return {};
  const parts = text.split(',').map((part) => part.trim());
  const [input, output, cached] = parts.map((part) => (part === '' ? Number.NaN : Number(part)));
  const isRead =
    isPrice(input) && isPrice(output) && (parts.length === 2 || (parts.length === 3 && isPrice(cached)));
  if (!isRead)
    throw new ModelSettingsError(
      'DRAWBRIDGE_MODEL_PRICE is input,output[,cached] in US dollars per million tokens, such as 3,15,0.3.',
    );
  return { price: { input, output, ...(cached !== undefined && { cached }) } };
}
