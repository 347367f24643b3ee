import type { ProtocolName } from '@drawbridge/protocol/catalog';
import type { Family } from './shapes.ts';

export interface Part {
  readonly protocol: ProtocolName;
  readonly heading: string;
  /** Noun for one message: "item", "frame". */
  readonly noun: string;
}

export interface ReferencePage {
  readonly family: Family;
  readonly title: string;
  readonly intro: string;
  /** Page with the rules for these messages. */
  readonly spec: string;
  readonly parts: readonly Part[];
  /** Heading of the objects that the messages share. */
  readonly objects: string;
}

/** One page per family. A test fails for a protocol that is on no page. */
export const REFERENCE_PAGES: readonly ReferencePage[] = [
  {
    family: 'bridge',
    title: 'Bridge items',
    intro:
      'Messages between an agent, the relay and a runtime (a live page that takes calls): over the WebSockets `/ws/agent` and `/ws/runtime`, by HTTP polling, through a message port or in one process. The contract is the Actions Bridge Protocol.',
    spec: 'bridge',
    objects: 'Objects in items',
    parts: [{ protocol: 'bridge', heading: 'Items', noun: 'item' }],
  },
  {
    family: 'chat',
    title: 'Chat frames',
    intro:
      'Messages between people and agents through the relay, over the WebSocket `/ws/chat`. A *browser* is any client of a person: the web app, a side panel, a terminal. *Every browser* is each connected one that may see the session. A *proxy* runs agents on a machine. The contract is the Remote Agent Chat Protocol, version 1; messages marked *ours* go beyond it and do no harm to a client that ignores them.',
    spec: 'chat',
    objects: 'Objects in frames',
    parts: [{ protocol: 'chat', heading: 'Frames', noun: 'frame' }],
  },
  {
    family: 'interact',
    title: 'Interact bodies',
    intro:
      'Requests of an extension to the server that decides for it, and the answers: the bodies of `POST /api/agent/interact` and of the session endpoints. Paths and status codes are in [openapi.json](../openapi.json). The contract is the extension–backend contract; parts marked *ours* go beyond it.',
    spec: 'interact',
    objects: 'Objects in bodies',
    parts: [
      { protocol: 'interact-request', heading: 'Request', noun: 'request' },
      { protocol: 'interact-response', heading: 'Response', noun: 'response' },
      { protocol: 'session', heading: 'Sessions and their messages', noun: 'body' },
    ],
  },
  {
    family: 'tasks',
    title: 'Task messages',
    intro:
      'Messages between a server that has browser tasks and an extension that runs them, over the WebSocket `/ws/tasks` or `/`. The relay is the server here; our extension speaks the other side with any server. The contract is the Nanobrowser WebSocket API 1.0.0.',
    spec: 'tasks',
    objects: 'Objects in messages',
    parts: [{ protocol: 'tasks', heading: 'Messages', noun: 'message' }],
  },
  {
    family: 'pusher',
    title: 'Pusher frames',
    intro:
      'Pusher Channels protocol 7, for unmodified Pusher clients: frames over the WebSocket `/app/{key}`, and the bodies of the HTTP API that publishes events. Close codes are among the [error codes](../error-codes.md#close-codes-of-a-pusher-connection).',
    spec: 'interact',
    objects: 'Objects in frames',
    parts: [
      { protocol: 'pusher', heading: 'Frames', noun: 'frame' },
      { protocol: 'pusher-http', heading: 'Bodies of the HTTP API', noun: 'body' },
    ],
  },
  {
    family: 'manifest',
    title: 'The map: actions.json',
    intro:
      'The file that describes a site to an agent. This page is its shape; the rules say how its parts relate.',
    spec: 'manifest',
    objects: 'Parts of the file',
    parts: [{ protocol: 'manifest', heading: 'The file', noun: 'map' }],
  },
];
