import type { Peer, ProtocolName } from '@drawbridge/protocol/catalog';
import type { JsonObject } from './json-schema.ts';

export interface Channel {
  readonly id: string;
  readonly address: string;
  readonly protocol: ProtocolName;
  readonly description: string;
  /** Peers that connect there, by the word for them in operation ids. */
  readonly peers: Readonly<Record<string, readonly Peer[]>>;
  /** Whether the credential is a bearer token, in a header or a subprotocol. */
  readonly bearer: boolean;
  readonly more?: JsonObject;
}

const TASKS: Omit<Channel, 'id' | 'address'> = {
  protocol: 'tasks',
  description:
    'Browser tasks for an extension that speaks the Nanobrowser WebSocket API. Such a client cannot set headers, so its token is in the URL and is valid for this channel only.',
  peers: { Extension: ['extension'] },
  bearer: false,
};

export const CHANNELS: readonly Channel[] = [
  {
    id: 'chat',
    address: '/ws/chat',
    protocol: 'chat',
    description:
      'People and agents: browser clients (owner, person) and proxies (proxy). The Remote Agent Chat Protocol, version 1.',
    peers: { Browser: ['browser', 'every browser'], Proxy: ['proxy'] },
    bearer: true,
  },
  {
    id: 'runtime',
    address: '/ws/runtime',
    protocol: 'bridge',
    description: 'Live pages that take calls (runtime). The Actions Bridge Protocol.',
    peers: { Runtime: ['runtime'] },
    bearer: true,
  },
  {
    id: 'agent',
    address: '/ws/agent',
    protocol: 'bridge',
    description:
      'Agents that call runtimes (agent, person). On connecting, an agent receives the latest `runtime_ready` and `runtime_status` of each runtime. The Actions Bridge Protocol.',
    peers: { Agent: ['agent'] },
    bearer: true,
  },
  { id: 'tasks', address: '/ws/tasks', ...TASKS },
  { id: 'tasksAtRoot', address: '/', ...TASKS },
  {
    id: 'pusher',
    address: '/app/{key}',
    protocol: 'pusher',
    description:
      'Pusher Channels protocol 7, for unmodified Pusher clients. Private and presence channels are authorised one by one, with a signature from `POST /api/pusher/auth`.',
    peers: { Client: ['client'] },
    bearer: false,
    more: {
      parameters: { key: { description: 'The key of the app.' } },
      bindings: {
        ws: {
          query: {
            type: 'object',
            required: ['protocol'],
            properties: { protocol: { const: '7', description: 'The version of the Pusher protocol.' } },
          },
        },
      },
    },
  },
];
