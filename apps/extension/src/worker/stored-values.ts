import type { Grant } from '@drawbridge/runtime';
import type { Claim } from '../tabs/claim.ts';
import { DEFAULT_TASK_SERVER } from '../task-server/task-server-settings.ts';
import type { Pairing, Settings, SiteRule } from '../wire.ts';

/** Values may be missing or written by an earlier version. */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function parsePairing(value: unknown): Pairing | null {
  if (!isObject(value)) return null;
  const { url, token, deviceId, name } = value;
  return typeof url === 'string' && typeof token === 'string' && typeof deviceId === 'string'
    ? { url, token, deviceId, name: typeof name === 'string' ? name : 'Chrome' }
    : null;
}

export const DEFAULT_SETTINGS: Settings = {
  taskServer: { on: false, ...DEFAULT_TASK_SERVER },
  semantic: true,
  language: 'auto',
  theme: 'system',
  sites: [],
};

export function parseSettings(value: unknown): Settings {
  if (!isObject(value)) return DEFAULT_SETTINGS;
  const server = isObject(value['taskServer']) ? value['taskServer'] : {};
  const { taskServer } = DEFAULT_SETTINGS;
  const { url = taskServer.url, connectSeconds } = server;
  return {
    taskServer: {
      on: server['on'] === true,
      url: typeof url === 'string' ? url : taskServer.url,
      connectSeconds: typeof connectSeconds === 'number' ? connectSeconds : taskServer.connectSeconds,
    },
    semantic: value['semantic'] !== false,
    language: oneOf(value['language'], ['auto', 'en', 'de']) ?? 'auto',
    theme: oneOf(value['theme'], ['system', 'light', 'dark']) ?? 'system',
    sites: Array.isArray(value['sites']) ? value['sites'].flatMap(parseRule) : [],
  };
}

function parseRule(value: unknown): SiteRule[] {
  if (!isObject(value)) return [];
  const { origin } = value;
  const rule = oneOf(value['rule'], ['never', 'ask']);
  return typeof origin === 'string' && rule !== undefined ? [{ origin, rule }] : [];
}

const oneOf = <Word extends string>(value: unknown, words: readonly Word[]): Word | undefined =>
  words.find((word) => word === value);

/** Unparseable grants permit nothing. */
export function parseGrants(value: unknown): readonly Grant[] {
  return Array.isArray(value) ? value.filter(isGrant) : [];
}

function isGrant(value: unknown): value is Grant {
  if (!isObject(value) || !isObject(value['covers'])) return false;
  const { grant_id, origin, by } = value;
  return typeof grant_id === 'string' && typeof origin === 'string' && typeof by === 'string';
}

export const parseTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

export function parseClaims(value: unknown): readonly Claim[] {
  return Array.isArray(value) ? value.filter(isClaim) : [];
}

function isClaim(value: unknown): value is Claim {
  return isObject(value) && typeof value['tabId'] === 'number' && typeof value['runtimeId'] === 'string';
}
