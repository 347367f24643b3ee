/** The used part of the standard WebSocket. */
export interface TaskSocket {
  readonly send: (text: string) => void;
  readonly close: () => void;
  readonly addEventListener: TaskSocketListener;
}

interface TaskSocketListener {
  (kind: 'message', run: (event: { readonly data: unknown }) => void): void;
  (kind: 'open' | 'close' | 'error', run: () => void): void;
}
