/**
 * Buffers messages until a listener is set: Chrome drops those that arrive while a new worker still reads its
 * storage.
 */
export interface HeldPort {
  readonly port: chrome.runtime.Port;
  /** Called once; delivers buffered messages. */
  readonly listen: (onMessage: (message: unknown) => void, onEnd: () => void) => void;
}

export function holdPort(port: chrome.runtime.Port): HeldPort {
  const early: unknown[] = [];
  let onMessage: (message: unknown) => void = (message) => void early.push(message);
  let onEnd = () => {};
  let isOver = false;
  port.onMessage.addListener((message: unknown) => onMessage(message));
  port.onDisconnect.addListener(() => {
    isOver = true;
    onEnd();
  });
  return {
    port,
    listen(hear, end) {
      onMessage = hear;
      onEnd = end;
      for (const message of early.splice(0)) hear(message);
      if (isOver) end();
    },
  };
}
