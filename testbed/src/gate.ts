/** Blocks its waiters until a test opens it. */
export interface Gate {
  open(): void;
  shut(): void;
  /** Resolves at once while the gate is open, else when it is opened. */
  passed(): Promise<void>;
  /** Resolves when the first waiter has arrived, blocked or not. */
  readonly reached: Promise<void>;
}

export function createGate(state: 'open' | 'shut' = 'shut'): Gate {
  let isOpen = state === 'open';
  let held: Array<() => void> = [];
  let arrived = () => {};
  const reached = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  return {
    open: () => {
      isOpen = true;
      for (const release of held) release();
      held = [];
    },
    shut: () => {
      isOpen = false;
    },
    passed: () => {
      arrived();
      return isOpen ? Promise.resolve() : new Promise((resolve) => held.push(resolve));
    },
    reached,
  };
}
