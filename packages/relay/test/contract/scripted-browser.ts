import type { ChatFrame } from '@drawbridge/protocol';
import type { ContractHarness } from './contract-harness.ts';
import { historyOf } from './frames.ts';
import { type Device, type Loose, type Peer, TIMEOUT_MS } from './peer.ts';
import { createScreen, type Screen, show } from './screen.ts';

export interface Browser {
  readonly screen: Screen;
  /** Received frames over all connections. */
  readonly frames: () => number;
  /** Refusals over all connections. */
  readonly errors: () => readonly ChatFrame[];
  /** Sends the frames, again after every disconnect, until the screen shows the effect. */
  readonly until: (shows: (screen: Screen) => boolean, ...says: readonly Loose[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface BrowserOptions {
  readonly device?: Device;
  /** Drops the connection after this many frames. */
  readonly cutAt?: number;
  /** True for sessions that this browser watches. */
  readonly isOwn: (session_id: string) => boolean;
}

/** A browser that stores its state and resumes after a disconnect. */
export async function openBrowser(harness: ContractHarness, options: BrowserOptions): Promise<Browser> {
  const { device = await harness.device('person'), cutAt, isOwn } = options;
  const screen = createScreen();
  const errors: ChatFrame[] = [];
  let frames = 0;
  let peer: Peer | undefined;
  let waiting: { readonly sends: readonly Loose[]; readonly look: () => boolean } | undefined;
  let fail: (error: unknown) => void = () => {};

  const say = (): void => {
    for (const frame of waiting?.sends ?? []) peer?.send(frame);
  };

  const comeBack = async (from: Peer): Promise<void> => {
    peer = undefined;
    await from.cut();
    await connect();
  };

  const connect = async (): Promise<void> => {
    const opened = await harness.connect(device, null);
    peer = opened;
    opened.onFrame((frame) => {
      if (peer !== opened) return;
      frames += 1;
      if (frame.type === 'connection_error') errors.push(frame);
      show(screen, frame);
      if (frames === cutAt) {
        comeBack(opened).catch((error: unknown) => fail(error));
        return;
      }
      if (frame.type === 'session_snapshot') {
        const unread = frame.sessions.filter(({ session_id }) => !screen.cursors.has(session_id));
        for (const { session_id } of unread) if (isOwn(session_id)) opened.send(historyOf(session_id));
        if (waiting?.look() === false) say();
      } else waiting?.look();
    });
    const sessions = [...screen.cursors]
      .filter(([session_id]) => isOwn(session_id))
      .map(([session_id, last_sequence]) => ({ session_id, last_sequence }));
    opened.send({
      type: 'connection_hello',
      peer_role: 'browser',
      client_name: 'test',
      client_id: 'the same',
      ...(sessions.length > 0 && { resume: { epoch: screen.epoch, sessions } }),
    });
  };
  await connect();

  return {
    screen,
    frames: () => frames,
    errors: () => errors,
    until: (shows, ...sends) =>
      new Promise((resolve, reject) => {
        fail = reject;
        const deadline = setTimeout(() => {
          const said = sends.map((frame) => JSON.stringify(frame)).join();
          reject(new Error(`The screen never showed what was waited for. Said: ${said}`));
        }, TIMEOUT_MS);
        const look = (): boolean => {
          if (!shows(screen)) return false;
          clearTimeout(deadline);
          waiting = undefined;
          resolve();
          return true;
        };
        waiting = { sends, look };
        if (!look()) say();
      }),
    close: async () => {
      const open = peer;
      peer = undefined;
      await open?.cut();
    },
  };
}
