import type { Price } from '@drawbridge/brain';
import type { ModelSettings, ProviderName } from '@drawbridge/brain/models';
import type { Ledger } from '@drawbridge/ledger';
import { MODEL } from '@drawbridge/protocol/http';
import { isObject, readJson } from '@drawbridge/protocol/manifest';
import type { Hono } from 'hono';
import type { CoreClock, Identity } from '../core/ports.ts';
import type { AuthMiddleware } from '../devices/auth-middleware.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isOwner } from '../server/guard/permission.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { serveRoutes } from '../server/serve-routes.ts';
import type { ModelSelection } from './model-selection.ts';

export interface ModelRoutesOptions {
  readonly choice: ModelSelection;
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  readonly credentials: Credentials;
  readonly auth: Pick<AuthMiddleware, 'confirm'>;
}

const BODY_CHARS = 16_384;

/** Which model decides. The key can be set but never read. */
export function modelRoutes(options: ModelRoutesOptions): Hono<RelayEnv> {
  const { choice, ledger, clock, credentials, auth } = options;
  const audit = async ({ device_id }: Identity, detail: Readonly<Record<string, string | null>>) => {
    const entry = { at: clock.now(), device_id, action: 'model_chosen' as const, subject: 'relay', detail };
    await ledger.commit([{ do: 'audit', entry }]);
  };
  return serveRoutes(MODEL, credentials, {
    async 'GET /api/settings/model'({ identity }) {
      const view = await choice.view();
      if (isOwner(identity)) return view;
      // A person who writes a task may know the model, and nothing of its server and key.
      const { source, model } = view;
      return { source, ...(model !== undefined && { model }) };
    },
    async 'PUT /api/settings/model'({ context, identity: by }) {
      const text = await context.req.text();
      const before = await choice.chosen();
      const read = parseModel(text, before);
      if ('field' in read) {
        const { field, message } = read;
        return context.json({ error: { code: 'invalid_request', message, field }, message }, 400);
      }
      if (!isSameReader(read, before)) {
        await auth.confirm(context, by, { act: 'choose_model', roles: [], label: readerOf(read) }, text);
      }
      await choice.choose(read);
      await audit(by, { provider: read.provider, model: read.model });
      return choice.view();
    },
    async 'DELETE /api/settings/model'({ identity }) {
      await choice.choose(undefined);
      await audit(identity, { provider: null, model: null });
      return choice.view();
    },
  });
}

/** Whether the same server and account receive what tasks see. */
const isSameReader = (next: ModelSettings, before: ModelSettings | undefined): boolean =>
  next.provider === before?.provider && next.baseUrl === before.baseUrl && next.apiKey === before.apiKey;

const readerOf = ({ provider, baseUrl }: ModelSettings): string =>
  baseUrl === undefined ? provider : new URL(baseUrl).origin;

interface Problem {
  readonly field: string;
  readonly message: string;
}

const NAMES: Readonly<Record<ProviderName, true>> = {
  anthropic: true,
  openai: true,
  google: true,
  compatible: true,
};
const isProvider = (value: unknown): value is ProviderName =>
  typeof value === 'string' && Object.hasOwn(NAMES, value);
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most;

const PRICE =
  '"price" is {"input", "output", "cached"?} in US dollars for a million tokens: numbers from 0 to 10000.';
const isDollars = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 10_000;

function isPrice(value: unknown): value is Price {
  if (!isObject(value)) return false;
  const { input, output, cached = 0, ...others } = value;
  return [input, output, cached].every(isDollars) && Object.keys(others).length === 0;
}

function parseModel(text: string, before: ModelSettings | undefined): ModelSettings | Problem {
  const read = readJson(text, BODY_CHARS);
  const body = read.ok && isObject(read.value) ? read.value : {};
  const { provider, model, base_url: baseUrl, api_key: key, price } = body;
  if (!isProvider(provider)) {
    return { field: 'provider', message: `"provider" is one of ${Object.keys(NAMES).join(', ')}.` };
  }
  if (!isText(model, 200)) return { field: 'model', message: 'Name the "model" as its provider does.' };
  if (
    baseUrl !== undefined &&
    !/^https?:$/.test(isText(baseUrl, 2_000) ? (URL.parse(baseUrl)?.protocol ?? '') : '')
  ) {
    return { field: 'base_url', message: '"base_url" is an http or https address that ends in /v1.' };
  }
  if (provider === 'compatible' && baseUrl === undefined) {
    return { field: 'base_url', message: 'A compatible server needs its "base_url".' };
  }
  if (key !== undefined && !isText(key, 1_000)) {
    return { field: 'api_key', message: '"api_key" is a text. Leave it out to keep the one that is set.' };
  }
  // A key belongs to one server: a changed address does not receive it.
  const isSamePlace = before?.provider === provider && before.baseUrl === baseUrl;
  const apiKey = key ?? (isSamePlace ? before.apiKey : undefined);
  if (apiKey === undefined && provider !== 'compatible') {
    return { field: 'api_key', message: `${provider} needs an "api_key".` };
  }
  if (price !== undefined && price !== null && !isPrice(price)) return { field: 'price', message: PRICE };
  // Other changes keep the price; null removes it.
  const kept = isSamePlace && before.model === model ? before.price : undefined;
  const paid = price === undefined ? kept : price;
  return {
    ...{ provider, model },
    ...(typeof baseUrl === 'string' && { baseUrl }),
    ...(apiKey !== undefined && { apiKey }),
    ...(paid && { price: paid }),
  };
}
