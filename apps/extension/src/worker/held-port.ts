/**
 * Buffers messages until a listener is set: Chrome drops those that arrive while a new worker still reads its
 * storage.
 */
export type HeldPort = ReturnType<typeof holdPort>;

export function holdPort(port: chrome.runtime.Port) {
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
    /** Called once; delivers buffered messages. */
    listen(hear: (message: unknown) => void, end: () => void): void {
      onMessage = hear;
      onEnd = end;
      for (const message of early.splice(0)) hear(message);
      if (isOver) end();
    },
  };
}
