import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatLink, connectChat, type FrameOf, type Outgoing } from '@drawbridge/link/chat';
import type { ChatFrame, ChatFrameType } from '@drawbridge/protocol';
import { type Relay, type RelayOptions, startRelay } from '@drawbridge/relay';
import { type FaultProxy, startFaultProxy } from '@drawbridge/testbed';
import { webApp } from '@drawbridge/web';

type Loose = Readonly<Record<string, unknown>>;
type Role = 'owner' | 'person' | 'proxy';

/** A scripted proxy on a real socket. */
export interface TestProxy {
  readonly token: string;
  readonly link: ChatLink;
  readonly list: (...sessions: readonly Loose[]) => void;
  readonly sendMessage: (session_id: string, content: string, more?: Loose) => void;
  readonly send: (frame: Loose) => void;
  /** The next frame of that type that was not taken yet. */
  readonly next: <Type extends ChatFrameType>(type: Type) => Promise<FrameOf<Type>>;
  /** Reconnects as the same device. */
  readonly restart: () => Promise<TestProxy>;
}

export interface WebHarness extends AsyncDisposable {
  readonly relay: Relay;
  /** Through a network that can fail. */
  readonly url: string;
  readonly network: FaultProxy;
  readonly goOffline: () => void;
  readonly goOnline: () => void;
  /** The relay's folder. */
  readonly data: string;
  /** A single-use pairing link. */
  readonly pairLink: (role?: Role, label?: string) => Promise<string>;
  /** Confirms pending requests, as the relay's terminal does. */
  readonly confirm: () => Promise<void>;
  /** `isSure`: it can tell what it has done with a send, so that the relay asks it in doubt. */
  readonly proxy: (machine_label?: string, isSure?: boolean) => Promise<TestProxy>;
  readonly close: () => Promise<void>;
}

/** All browsers of a test run share one address. */
const LIMITS = { failures_per_minute: 10_000 };
const NOTHING_PASSES = { up: { cutAfterBytes: { min: 0, max: 0 } } };

/** A relay with the web app and no other client. */
export async function openWebHarness(more: Partial<RelayOptions> = {}): Promise<WebHarness> {
  const data = await mkdtemp(join(tmpdir(), 'web-'));
  let port = 0;
  const target = {
    host: '127.0.0.1',
    get port() {
      return port;
    },
  };
  const network = await startFaultProxy({ target, seed: 1 });
  const url = `http://127.0.0.1:${network.port}`;
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${network.port}`);
  const relay = await startRelay({ port: 0, data, web: webApp(), limits: LIMITS, hosts, ...more });
  port = relay.port;
  const links: ChatLink[] = [];
  const close = async (): Promise<void> => {
    for (const link of links) link.close();
    await network.close();
    await relay.close();
    await rm(data, { recursive: true, force: true });
  };

  const connect = async (token: string, machine_label: string, isSure = false): Promise<TestProxy> => {
    const link = connectChat({
      url: `${relay.url.replace('http', 'ws')}/ws/chat`,
      token,
      peer_role: 'proxy',
      client_name: 'test',
      machine_label,
      features: ['questions', 'modes', 'prompt_withdrawn', ...(isSure ? (['resend'] as const) : [])],
    });
    links.push(link);
    const frames: ChatFrame[] = [];
    const waiting = new Set<() => void>();
    link.onFrame((frame) => {
      frames.push(frame);
      for (const look of [...waiting]) look();
    });
    await new Promise<void>((resolve) => {
      const stop = link.onState(({ kind }) => {
        if (kind !== 'open') return;
        stop();
        resolve();
      });
    });
    return {
      link,
      token,
      send: (frame) => link.send(trustOutgoing(frame)),
      list: (...sessions) => link.send(trustOutgoing({ type: 'proxy_session_snapshot', sessions })),
      sendMessage: (session_id, content, more = {}) => {
        const message = { role: 'assistant', content, created_at: new Date().toISOString(), ...more };
        link.send(trustOutgoing({ type: 'proxy_message', session_id, message }));
      },
      next: (type) =>
        new Promise((resolve) => {
          const look = (): void => {
            const at = frames.findIndex((frame) => frame.type === type);
            if (at < 0) return void waiting.add(look);
            waiting.delete(look);
            resolve(trustTaken(frames.splice(at, 1)[0]));
          };
          look();
        }),
      async restart() {
        link.close();
        return connect(token, machine_label, isSure);
      },
    };
  };

  return {
    relay,
    url,
    data,
    network,
    goOffline() {
      network.setFaults(NOTHING_PASSES);
      network.cut();
    },
    goOnline: () => network.setFaults({}),
    async pairLink(role = 'person', label = 'Phone') {
      const order = { roles: [role], scopes: [], label, by: 'machine' } as const;
      const { pair_path } = await relay.devices.invitations.create(order);
      return url + pair_path;
    },
    async confirm() {
      const owner = await relay.devices.authenticate(relay.devices.owner?.token ?? '');
      const [one] = relay.devices.confirmations.list();
      if (owner === undefined || one === undefined) throw new Error('nothing waits for a confirmation');
      await relay.devices.confirmations.answer(one.id, owner, 'confirm');
    },
    async proxy(machine_label = 'studio', isSure = false) {
      const { token } = await relay.devices.mint({ roles: ['proxy'], label: machine_label, by: 'machine' });
      return connect(token, machine_label, isSure);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Tests give partial frames; the link validates them. */
const trustOutgoing = (frame: Loose): Outgoing => frame as unknown as Outgoing;

const trustTaken = <Type extends ChatFrameType>(frame: ChatFrame | undefined): FrameOf<Type> =>
  frame as FrameOf<Type>;
