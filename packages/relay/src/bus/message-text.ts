import type { JsonObject } from '@drawbridge/ledger';
import { isObject } from '@drawbridge/protocol/manifest';
import { type BusMessage, type Identity, type RelayEvent, ROLES } from '../core/ports.ts';

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
  const { session_id, sequence, event_id, type, payload, payload_text = '', at, message_id } = value;
  const isNamed = isText(session_id) && isText(event_id) && isText(type) && isTextOrNull(message_id);
  if (!isText(payload_text)) return false;
  return isNamed && isCount(sequence) && sequence > 0 && typeof at === 'number' && isJsonObject(payload);
}

function isHead(value: unknown): value is { readonly session_id: string; readonly head: number } {
  return isObject(value) && isText(value['session_id']) && isCount(value['head']);
}

/**
 * Answers a request that came without a reply subject, from a node of the version before, whose requests are
 * messages that it repeats.
 */
export interface Acknowledgement {
  readonly kind: 'acknowledgement';
  readonly id: string;
  readonly node_id: string;
}

type WireMessage = BusMessage | Acknowledgement;

/** By the kind on the wire. Kinds and fields keep their first names there: a cluster is upgraded node by node. */
const PARSERS: { readonly [kind: string]: (fields: Fields) => WireMessage | undefined } = {
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
    const to = { device_id, client_id, connection_id };
    const message = { kind: 'client_message', delivery_id: told_id, ...to, text } as const;
    if (feature === undefined) return message;
    return isText(feature) ? { ...message, feature } : undefined;
  },
  asked({ ask_id, node_id, connection_id, identity, client_id, features, text }) {
    const isWhole = isText(ask_id) && isText(node_id) && isText(connection_id) && isText(text);
    if (!isWhole || !isIdentity(identity) || !isTextOrNull(client_id) || !isList(features, isText))
      return undefined;
    const from = { node_id, connection_id, identity, client_id, features };
    return { kind: 'command', command_id: ask_id, ...from, text };
  },
  heard({ id, node_id }) {
    return isText(id) && isText(node_id) ? { kind: 'acknowledgement', id, node_id } : undefined;
  },
  beat({ node_id, keeps, heads, left, revoked }) {
    if (!isText(node_id) || typeof keeps !== 'boolean') return undefined;
    if (!isList(heads, isHead) || !isList(left, isText) || !isList(revoked, isText)) return undefined;
    return { kind: 'heartbeat', node_id, is_leader: keeps, heads, left, revoked };
  },
  node({ node_id, facts }) {
    return isText(node_id) && isJsonObject(facts) ? { kind: 'node', node_id, facts } : undefined;
  },
};

/** The message as sent. */
export function wireMessage(message: WireMessage): Fields & { readonly kind: string } {
  if (message.kind === 'client_message') {
    const { delivery_id: told_id, ...rest } = message;
    return { ...rest, kind: 'told', told_id } as const;
  }
  if (message.kind === 'command') {
    const { command_id: ask_id, ...rest } = message;
    return { ...rest, kind: 'asked', ask_id } as const;
  }
  if (message.kind === 'heartbeat') {
    const { is_leader: keeps, ...rest } = message;
    return { ...rest, kind: 'beat', keeps } as const;
  }
  return message.kind === 'acknowledgement' ? { ...message, kind: 'heard' } : message;
}

/** Undefined for a malformed message, which is dropped. */
export function parseBusMessage(body: Uint8Array): WireMessage | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (!isObject(value)) return undefined;
    const { kind } = value;
    return isText(kind) && Object.hasOwn(PARSERS, kind) ? PARSERS[kind]?.(value) : undefined;
  } catch {
    return undefined;
  }
}
