import {
  BRIDGE_FEATURES,
  CATALOG,
  CHAT_FEATURES,
  type MessageNote,
  NOTES,
  type ProtocolName,
} from '@drawbridge/protocol/catalog';
import type { TSchema } from 'typebox';
import { type Field, fieldsOf } from './field-table.ts';
import { areSame, asNode, plain, propertiesOf, type SchemaNode } from './schema-node.ts';
import type { Shape } from './shapes.ts';

export interface Message extends MessageNote {
  readonly protocol: ProtocolName;
  readonly kind: string;
  readonly node: SchemaNode;
  /**
   * Feature that a peer must list in its hello to get this message; undefined for messages of the contract.
   */
  readonly feature: string | undefined;
}

/** Every message of a protocol with its description. */
export function messagesOf(protocol: ProtocolName): readonly Message[] {
  const schemas: Readonly<Record<string, TSchema>> = CATALOG[protocol];
  const notes = new Map<string, MessageNote>(Object.entries(NOTES[protocol]));
  return Object.entries(schemas).map(([kind, schema]) => {
    const note = notes.get(kind);
    if (note === undefined) throw new Error(`There is no note on ${protocol} ${kind}.`);
    const feature = featureOf(protocol, kind);
    return { protocol, kind, node: plain(schema), feature, ...note };
  });
}

type Features = Readonly<Record<string, readonly string[]>>;
const FEATURES: Readonly<Record<string, Features>> = { bridge: BRIDGE_FEATURES, chat: CHAT_FEATURES };

function featureOf(protocol: string, kind: string): string | undefined {
  const features = Object.entries(FEATURES[protocol] ?? {});
  return features.find(([, kinds]) => kinds.includes(kind))?.[0];
}

/** The field that names the message: `type`, or `event`. */
function kindFieldOf({ kind, node }: Message): string | undefined {
  return propertiesOf(node).find(([, inner]) => inner['const'] === kind)?.[0];
}

/** Fields that nearly every message of a protocol has, documented once. */
export function commonFieldsOf(messages: readonly Message[], shapes: readonly Shape[]): readonly Field[] {
  const [first, ...others] = messages;
  if (first === undefined || others.length === 0) return [];
  const most = (test: (message: Message) => boolean): boolean =>
    messages.filter(test).length * 2 > messages.length;
  const shared = fieldsOf(first.node, shapes)
    .filter(({ path, node }) => others.every((message) => areSame(fieldAt(message, path), node)))
    .map((field) => ({ ...field, required: messages.every((message) => requires(message, field.path)) }))
    .filter(({ path, required }) => most((message) => requires(message, path) === required));
  const kindField = kindFieldOf(first);
  const isNamed = kindField !== undefined && most((message) => kindFieldOf(message) === kindField);
  return isNamed ? [{ path: kindField, node: KIND, required: true }, ...shared] : shared;
}

const KIND: SchemaNode = { type: 'string', description: 'the name that heads its section' };

const fieldAt = ({ node }: Message, name: string): SchemaNode => asNode(asNode(node['properties'])[name]);

const requires = ({ node }: Message, name: string): boolean =>
  Array.isArray(node['required']) && node['required'].includes(name);

/** Fields of one message without the common ones. */
export function ownFieldsOf(
  message: Message,
  common: readonly Field[],
  shapes: readonly Shape[],
): readonly Field[] {
  const told = (field: Field): boolean =>
    common.some(
      ({ path, node, required }) =>
        path === field.path &&
        required === field.required &&
        (path === kindFieldOf(message) || areSame(node, field.node)),
    );
  return fieldsOf(message.node, shapes).filter((field) => !told(field));
}
