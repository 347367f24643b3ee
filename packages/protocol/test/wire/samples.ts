import { bridge } from '../../src/bridge/protocol.ts';
import type { CATALOG, ProtocolName } from '../../src/catalog.ts';
import { chat } from '../../src/chat/protocol.ts';
import {
  interactRequest,
  interactResponse,
  newMessage,
  sessionFound,
  sessionMessages,
  sessionRename,
} from '../../src/interact/protocol.ts';
import { manifest } from '../../src/manifest/protocol.ts';
import { pusher, pusherBatch, pusherTrigger } from '../../src/pusher/protocol.ts';
import { tasks } from '../../src/tasks/protocol.ts';
import type { Protocol } from '../../src/wire/protocol.ts';
import { BRIDGE_SAMPLES } from '../bridge/samples.ts';
import { CHAT_SAMPLES } from '../chat/samples.ts';
import { REQUEST_SAMPLES, RESPONSE_SAMPLES, SESSION_SAMPLES } from '../interact/samples.ts';
import { MANIFEST_SAMPLES } from '../manifest/samples.ts';
import { PUSHER_HTTP_SAMPLES, PUSHER_SAMPLES } from '../pusher/samples.ts';
import { TASK_SAMPLES } from '../tasks/samples.ts';
import type { SamplesOf } from './samples-of.ts';

/** One valid message of every kind in the catalog, with every field. */
export const SAMPLES: { [Name in ProtocolName]: SamplesOf<(typeof CATALOG)[Name]> } = {
  bridge: BRIDGE_SAMPLES,
  chat: CHAT_SAMPLES,
  'interact-request': REQUEST_SAMPLES,
  'interact-response': RESPONSE_SAMPLES,
  session: SESSION_SAMPLES,
  tasks: TASK_SAMPLES,
  pusher: PUSHER_SAMPLES,
  'pusher-http': PUSHER_HTTP_SAMPLES,
  manifest: MANIFEST_SAMPLES,
};

/** A parser and its samples. A protocol of the catalog has one parser, or one for each of its kinds. */
export interface Wire {
  readonly name: string;
  readonly protocol: ProtocolName;
  readonly parse: (text: string) => unknown;
  /** Parses, and returns the kind of the message. */
  readonly kindOf: (text: string) => string;
  readonly samples: Readonly<Record<string, unknown>>;
}

const wire = <Message>(
  name: string,
  protocol: ProtocolName,
  { parse, kindOf }: Protocol<Message>,
  samples: Wire['samples'] = SAMPLES[protocol],
): Wire => ({ name, protocol, parse, kindOf: (text) => kindOf(parse(text)), samples });

const { session_found, session_rename, session_messages, new_message } = SESSION_SAMPLES;
const { trigger, batch } = PUSHER_HTTP_SAMPLES;

export const WIRES: readonly Wire[] = [
  wire('bridge', 'bridge', bridge),
  wire('chat', 'chat', chat),
  wire('interactRequest', 'interact-request', interactRequest),
  wire('interactResponse', 'interact-response', interactResponse),
  wire('sessionFound', 'session', sessionFound, { session_found }),
  wire('sessionRename', 'session', sessionRename, { session_rename }),
  wire('sessionMessages', 'session', sessionMessages, { session_messages }),
  wire('newMessage', 'session', newMessage, { new_message }),
  wire('tasks', 'tasks', tasks),
  wire('pusher', 'pusher', pusher),
  wire('pusherTrigger', 'pusher-http', pusherTrigger, { trigger }),
  wire('pusherBatch', 'pusher-http', pusherBatch, { batch }),
  wire('manifest', 'manifest', manifest),
];
