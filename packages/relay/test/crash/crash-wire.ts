import { WebSocket } from 'ws';
import type { RelayLives } from './relay-lives.ts';

export interface Frame {
  readonly type: string;
  readonly code?: string;
  readonly session_id?: string;
  readonly session?: { readonly session_id: string };
  readonly client_message_id?: string;
  readonly sequence?: number;
  readonly event_id?: string;
  readonly epoch?: string;
  readonly attempt?: number;
  readonly from_sequence?: number;
  readonly events?: readonly Frame[];
}

export type Say = (frame: object) => void;

export interface Wire {
  /** Breaks the connection; the next one follows. */
  readonly cut: () => void;
  readonly close: () => void;
}

/** A bare socket that reconnects to any running relay, and shares no code with our own clients. */
export function openWire(
  lives: Pick<RelayLives, 'url'>,
  token: string,
  {
    onOpen,
    onFrame,
  }: { readonly onOpen: (say: Say) => void; readonly onFrame: (frame: Frame, say: Say) => void },
): Wire {
  let closed = false;
  let current: WebSocket | undefined;

  const live = async (): Promise<void> => {
    const url = await lives.url();
    if (closed) return;
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/chat`, 'drawbridge', {
      headers: { authorization: `Bearer ${token}` },
    });
    current = socket;
    const say: Say = (frame) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ protocol_version: 1, ...frame }));
    };
    socket.on('open', () => onOpen(say));
    socket.on('message', (data) => onFrame(trustFrame(String(data)), say));
    // 'close' follows.
    socket.on('error', () => {});
    socket.on('close', () => void live());
  };
  void live();

  return {
    cut: () => current?.terminate(),
    close: () => {
      closed = true;
      current?.terminate();
    },
  };
}

function trustFrame(text: string): Frame {
  return JSON.parse(text);
}
