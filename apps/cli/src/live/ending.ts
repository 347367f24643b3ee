/** Ctrl-C, a closed terminal, a stopped service. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Ending {
  readonly asked: Promise<void>;
  /** Restores the default signal handling. */
  readonly close: () => void;
}

/** Call before opening anything that must be closed. A second signal ends at once. */
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
