import type { ConnectionHub, Peer } from './connection-hub.ts';
import { isControl } from './control-frame.ts';
import { type ClientOptions, connectFrames } from './frame-client.ts';
import { acceptFrames } from './frame-server.ts';
import type { FrameWire, WireEnd } from './frame-wire.ts';
import type { ItemLink } from './link.ts';

/** A port of any kind. Items pass as plain objects, control frames as strings. */
export interface ItemPort {
  readonly post: (message: unknown) => void;
  readonly listen: (message: (message: unknown) => void, ended: () => void) => void;
  readonly close: () => void;
}

export interface MessagePortLike {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
  start?(): void;
  close?(): void;
}

/** A MessagePort, a Worker or the like. Old browsers do not report a port's end: the idle timeout does. */
export function fromMessagePort(port: MessagePortLike): ItemPort {
  return {
    post: (message) => port.postMessage(message),
    listen: (message, ended) => {
      port.addEventListener('close', ended);
      port.addEventListener('message', ({ data }) => message(data));
      port.start?.();
    },
    close: () => port.close?.(),
  };
}

/** `chrome.runtime.Port`: https://developer.chrome.com/docs/extensions/reference/api/runtime#type-Port */
export interface RuntimePortLike {
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
  postMessage(message: unknown): void;
  disconnect(): void;
}

export function fromRuntimePort(port: RuntimePortLike): ItemPort {
  return {
    post: (message) => port.postMessage(message),
    listen: (message, ended) => {
      port.onMessage.addListener(message);
      port.onDisconnect.addListener(ended);
    },
    close: () => port.disconnect(),
  };
}

export interface PortOptions extends ClientOptions {
  /** Opens a new port to the peer; called again after each end. */
  readonly open: () => ItemPort;
  /** For peers that know only plain items. */
  readonly plain?: boolean;
}

export function connectPort({ open, plain = false, ...options }: PortOptions): ItemLink {
  return connectFrames((events) => {
    const port = open();
    listen(port, events.frame, events.ended);
    queueMicrotask(() => events.opened(!plain));
    return wireOf(port);
  }, options);
}

/** Accepts a port that a peer opened. A peer whose first message is a plain item gets plain items. */
export function acceptPort(
  port: ItemPort,
  accepted: { readonly hub: ConnectionHub; readonly peer: Peer },
): void {
  const { frame, ended } = acceptFrames({ ...accepted, wire: wireOf(port), negotiation: 'first_frame' });
  listen(port, frame, ended);
}

function listen(port: ItemPort, frame: (frame: string) => void, ended: (end: WireEnd) => void): void {
  port.listen(
    (message) => frame(textOf(message)),
    () => ended({ message: 'The port ended.', evidence: { reason: 'port_ended' } }),
  );
}

/** The peer may be a page: its messages are measured and validated as text. */
function textOf(message: unknown): string {
  if (typeof message === 'string') return message;
  try {
    return JSON.stringify(message) ?? '';
  } catch {
    return '';
  }
}

function wireOf(port: ItemPort): FrameWire {
  return {
    send: (frame) => {
      try {
        port.post(isControl(frame) ? frame : JSON.parse(frame));
      } catch {
        // A disconnected chrome.runtime.Port throws here, before or after it has reported its end.
      }
    },
    close: () => port.close(),
  };
}
