import { isObject } from '@drawbridge/protocol/manifest';
import { type BusMessage, type Identity, type RelayEvent, ROLES } from '../core/ports.ts';
import type { JsonObject } from '../ledger/records.ts';

type Fields = Readonly<Record<string, unknown>>;

const MAX_LIST = 10_000;

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isList = <Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] =>
  Array.isArray(value) && value.length <= MAX_LIST && value.every(isItem);
/** `JSON.parse` makes nothing else of an object. */
const isJsonObject = (value: unknown): value is JsonObject => isObject(value);

const isRole = (value: unknown): value is Identity['roles'][number] => ROLES.some((role) => role === value);

function isIdentity(value: unknown): value is Identity {
  if (!isObject(value)) return false;
  const { device_id, roles, label, scopes } = value;
  return isText(device_id) && isText(label) && isList(roles, isRole) && isList(scopes, isText);
}

function isEvent(value: unknown): value is RelayEvent {
  if (!isObject(value)) return false;
  const { session_id, sequence, event_id, type, payload, at, message_id } = value;
  const isNamed = isText(session_id) && isText(event_id) && isText(type) && isTextOrNull(message_id);
  return isNamed && isCount(sequence) && sequence > 0 && typeof at === 'number' && isJsonObject(payload);
}

function isHead(value: unknown): value is { readonly session_id: string; readonly head: number } {
  return isObject(value) && isText(value['session_id']) && isCount(value['head']);
}

const PARSERS: {
  readonly [Kind in BusMessage['kind']]: (fields: Fields) => Extract<BusMessage, { kind: Kind }> | undefined;
} = {
  appended({ session_id, events }) {
    if (!isText(session_id) || !isList(events, isEvent)) return undefined;
    if (events.some((event) => event.session_id !== session_id)) return undefined;
    return { kind: 'appended', session_id, events };
  },
  grown({ session_id, text, feature }) {
    if (!isText(session_id) || !isText(text)) return undefined;
    if (feature === undefined) return { kind: 'grown', session_id, text };
    return isText(feature) ? { kind: 'grown', session_id, text, feature } : undefined;
  },
  told({ told_id, device_id, client_id, connection_id, text, feature }) {
    const isWhole = isText(told_id) && isText(device_id) && isText(text);
    if (!isWhole || !isTextOrNull(client_id) || !isTextOrNull(connection_id)) return undefined;
    const told = { kind: 'told', told_id, device_id, client_id, connection_id, text } as const;
    if (feature === undefined) return told;
    return isText(feature) ? { ...told, feature } : undefined;
  },
  asked({ ask_id, node_id, connection_id, identity, client_id, features, text }) {
    const isWhole = isText(ask_id) && isText(node_id) && isText(connection_id) && isText(text);
    if (!isWhole || !isIdentity(identity) || !isTextOrNull(client_id) || !isList(features, isText))
      return undefined;
    return { kind: 'asked', ask_id, node_id, connection_id, identity, client_id, features, text };
  },
  heard({ id, node_id }) {
    return isText(id) && isText(node_id) ? { kind: 'heard', id, node_id } : undefined;
  },
  beat({ node_id, keeps, heads, left, revoked }) {
    if (!isText(node_id) || typeof keeps !== 'boolean') return undefined;
    if (!isList(heads, isHead) || !isList(left, isText) || !isList(revoked, isText)) return undefined;
    return { kind: 'beat', node_id, keeps, heads, left, revoked };
  },
  node({ node_id, facts }) {
    return isText(node_id) && isJsonObject(facts) ? { kind: 'node', node_id, facts } : undefined;
  },
};

/** Undefined for a malformed message, which is dropped. */
export function parseBusMessage(body: Uint8Array): BusMessage | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (!isObject(value)) return undefined;
    const kind = Object.keys(PARSERS).find((each): each is BusMessage['kind'] => each === value['kind']);
    return kind === undefined ? undefined : PARSERS[kind](value);
  } catch {
    return undefined;
  }
}
