/** Ctrl-C, a closed terminal, a service that is stopped. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Ending {
  readonly asked: Promise<void>;
  /** From now on a signal ends the process at once, as it would without us. */
  readonly close: () => void;
}

/** Listen before anything is opened that must be closed. A second signal does not wait. */
export function listenForEnd(): Ending {
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const heard = () => {
    close();
    ask();
  };
  const close = () => {
    for (const signal of SIGNALS) process.off(signal, heard);
  };
  for (const signal of SIGNALS) process.on(signal, heard);
  return { asked, close };
}
