import { provenFetch } from './browser-key.ts';

export interface EventStreamListeners {
  readonly onEvent: (name: string, data: string) => void;
  /** The connection was lost and is retried. */
  readonly onLost?: () => void;
  /** The relay answered without a stream: not retried. */
  readonly onGone?: () => void;
}

const RETRY_MS = 2_000;

/** Server-sent events with a proof header, which `EventSource` cannot set. Returns how to close it. */
export function openEventStream(path: string, listeners: EventStreamListeners): () => void {
  const { onEvent, onLost, onGone } = listeners;
  const closing = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastId = '';
  let name = '';

  const take = (line: string): void => {
    if (line.startsWith('id: ')) lastId = line.slice(4);
    else if (line.startsWith('event: ')) name = line.slice(7);
    else if (line.startsWith('data: ') && !closing.signal.aborted) onEvent(name, line.slice(6));
  };

  const read = async (): Promise<void> => {
    const response = await provenFetch(path, {
      headers: { accept: 'text/event-stream', ...(lastId !== '' && { 'last-event-id': lastId }) },
      signal: closing.signal,
    });
    if (!response.ok || response.body === null) {
      closing.abort();
      onGone?.();
      return;
    }
    let rest = '';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value = '' } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    }
  };

  const run = (): void => {
    void read()
      .catch(() => {})
      .then(() => {
        if (closing.signal.aborted) return;
        onLost?.();
        timer = setTimeout(run, RETRY_MS);
      });
  };
  run();
  return () => {
    closing.abort();
    clearTimeout(timer);
  };
}
