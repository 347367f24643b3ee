interface Parkable {
  readonly id: string;
  readonly close: (reason?: string) => void;
}

interface Parked<Run> {
  readonly run: Run;
  /** The exact request that began it; no other may continue it. */
  readonly request: string;
  readonly answer: (responses: Record<string, unknown> | undefined) => void;
}

/** Runs that wait for a person's answer in a later request. Each is continued once (BRG-129). */
export interface ParkedRuns<Run extends Parkable> {
  readonly park: (parked: Parked<Run>) => void;
  readonly take: (id: string, request: string) => Parked<Run> | undefined;
  readonly close: () => void;
}

const MOST_PARKED = 64;

export function createParkedRuns<Run extends Parkable>(most = MOST_PARKED): ParkedRuns<Run> {
  const waiting = new Map<string, Parked<Run>>();
  return {
    park(parked) {
      waiting.set(parked.run.id, parked);
      for (const [id, oldest] of waiting) {
        if (waiting.size <= most) break;
        waiting.delete(id);
        oldest.run.close('Too many calls wait for an answer.');
      }
    },
    take(id, request) {
      const parked = waiting.get(id);
      if (parked?.request !== request) return undefined;
      waiting.delete(id);
      return parked;
    },
    close() {
      for (const { run } of waiting.values()) run.close('The server is closing.');
      waiting.clear();
    },
  };
}
