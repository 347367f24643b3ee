/** Functions whose result depends on more than their input, or that run text as code. */
export const BANNED_FUNCTIONS = ['eval', 'random', 'now', 'millis'] as const;

const BANNED: ReadonlySet<string> = new Set(BANNED_FUNCTIONS);

export const isBanned = (name: unknown): boolean => typeof name === 'string' && BANNED.has(name);
