import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TSchema, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { bridge } from './bridge/protocol.ts';
import { CATALOG } from './catalog.ts';
import { chat } from './chat/protocol.ts';
import {
  interactRequest,
  interactResponse,
  newMessage,
  sessionFound,
  sessionMessages,
  sessionRename,
} from './interact/protocol.ts';
import { SemanticNodeV2, SemanticPage } from './interact/semantic-tree.ts';
import * as parts from './manifest/manifest.ts';
import { StateProjection } from './manifest/projection.ts';
import { manifest } from './manifest/protocol.ts';
import { Target } from './manifest/target.ts';
import { Workflow } from './manifest/workflow.ts';
import { tasks } from './tasks/protocol.ts';
import { isObject } from './wire/json-text.ts';
import { findMismatch } from './wire/mismatch.ts';
import type { Protocol } from './wire/protocol.ts';

/**
 * Every JSON example of the five contracts, one file each: `<folder>/<kind>[.<note>].json`, where the folder
 * selects the reader; parts of a map are `manifest-part/<kind>/<note>.json`.
 */
const FOLDER = join(import.meta.dirname, '../fixtures');
const LIST = 'not-messages.json';
const EXAMPLES_IN_THE_CONTRACTS = 83;

type Schemas = Readonly<Record<string, TSchema>>;

interface Reader {
  /** Throws for text that does not match its folder. */
  readonly read: (text: string) => { readonly value: unknown; readonly kind: string };
  readonly schemas: Schemas;
}

function messages<Message>({ parse, kindOf }: Protocol<Message>, schemas: Schemas): () => Reader {
  const read = (text: string) => {
    const value = parse(text);
    return { value, kind: kindOf(value) };
  };
  return () => ({ read, schemas });
}

function values(schemas: Schemas): (kind: string) => Reader {
  return (kind) => {
    const schema = schemas[kind] ?? Type.Never();
    const read = (text: string) => {
      const value: unknown = JSON.parse(text);
      if (!Check(schema, value)) throw new Error(JSON.stringify(findMismatch(schema, value)));
      return { value, kind };
    };
    return { read, schemas };
  };
}

const SESSION_READERS: Readonly<Record<string, () => Reader>> = {
  session_found: messages(sessionFound, CATALOG.session),
  session_rename: messages(sessionRename, CATALOG.session),
  session_messages: messages(sessionMessages, CATALOG.session),
  new_message: messages(newMessage, CATALOG.session),
};

const READERS: Readonly<Record<string, (kind: string) => Reader | undefined>> = {
  bridge: messages(bridge, CATALOG.bridge),
  responses: messages(bridge, CATALOG.bridge),
  chat: messages(chat, CATALOG.chat),
  tasks: messages(tasks, CATALOG.tasks),
  'interact-request': messages(interactRequest, CATALOG['interact-request']),
  'interact-response': messages(interactResponse, CATALOG['interact-response']),
  session: (kind) => SESSION_READERS[kind]?.(),
  semantic: values({ page: SemanticPage, nodes_v2: Type.Array(SemanticNodeV2) }),
  manifest: messages(manifest, CATALOG.manifest),
  'manifest-part': values({
    context: parts.ContextBlock,
    tool: parts.Tool,
    target: Target,
    state: parts.State,
    transition: parts.Transition,
    attachment: parts.Attachment,
    signal: parts.Signal,
    check: parts.Check,
    // The contracts print these inside an object with their section's name.
    imports: Type.Object({ imports: Type.Array(parts.Import), composition: parts.Composition }),
    workflow: Type.Object({ workflow: Workflow }),
    state_projections: Type.Object({ state_projections: Type.Array(StateProjection) }),
  }),
};

const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

const jsonOf = (file: string): unknown => JSON.parse(textOf(file));

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.json') && file !== LIST)
  .sort();

const ListOfReasons = Type.Array(
  Type.Object(
    { file: Type.String(), reason: Type.String({ minLength: 1 }) },
    { additionalProperties: false },
  ),
);
const listed = jsonOf(LIST);
const notMessages = Check(ListOfReasons, listed) ? listed : [];
const reasons = new Map(notMessages.map(({ file, reason }) => [file, reason]));

describe('the examples of the contracts', () => {
  for (const file of files) {
    const [folder = '', second = '', third] = file.split('/');
    const kind = third === undefined ? second.replace(/\..*/, '') : second;
    const reader = READERS[folder]?.(kind);
    if (reader === undefined) throw new Error(`Nothing says how to read ${file}: name it in READERS.`);
    const reason = reasons.get(file);
    if (reason !== undefined) {
      test(`${file} is refused: ${reason}`, () => expect(() => reader.read(textOf(file))).toThrow());
      continue;
    }
    test(`${file} is read as ${kind}, unchanged, and the schema names each of its fields`, () => {
      const example = jsonOf(file);
      expect(reader.read(textOf(file))).toEqual({ value: example, kind });
      expect(unnamedFields(reader.schemas[kind], example)).toEqual([]);
    });
  }

  test('are all here', () => expect(files.length).toBeGreaterThanOrEqual(EXAMPLES_IN_THE_CONTRACTS));

  test('exceptions are listed once, in a valid list, and exist', () => {
    expect(Check(ListOfReasons, listed)).toBe(true);
    expect(reasons.size).toBe(notMessages.length);
    expect(files).toEqual(expect.arrayContaining([...reasons.keys()]));
  });

  test('agree on an output: structured in the bridge, a string of the same JSON in the Responses API', () => {
    const inside = jsonOf('bridge/action_call_output.json');
    const outside = jsonOf('responses/function_call_output.json');
    const decoded: unknown = isObject(outside) ? JSON.parse(String(outside['output'])) : undefined;
    expect(inside).toMatchObject({ output: decoded });
  });
});

/** Fields that the schema does not name, such as misspelt ones. */
function unnamedFields(schema: unknown, value: unknown, at = ''): string[] {
  if (!isObject(schema)) return [];
  if (Array.isArray(schema['anyOf'])) {
    const branch = schema['anyOf'].find((inner) => Check(inner, value));
    return unnamedFields(branch, value, at);
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => unnamedFields(schema['items'], item, `${at}[${index}]`));
  }
  const named = schema['properties'];
  if (!isObject(value) || !isObject(named)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    Object.hasOwn(named, key) ? unnamedFields(named[key], inner, `${at}.${key}`) : [`${at}.${key}`],
  );
}
