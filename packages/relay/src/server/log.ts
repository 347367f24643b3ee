type Fact = string | number | boolean;

/** One thing that happened. A token, a text that people wrote or a query is never among the facts. */
export type Log = (event: string, facts?: Readonly<Record<string, Fact>>) => void;

export function createLog(write: (line: string) => void, now: () => number): Log {
  return (event, facts = {}) => write(JSON.stringify({ at: new Date(now()).toISOString(), event, ...facts }));
}

/** An error's own words may quote what a peer sent: its name and code are enough to look for it. */
export function faultFacts(error: unknown): Readonly<Record<string, Fact>> {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const place = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  return { error: error.name, ...code, ...(place !== undefined && { place: place.trim() }) };
}
