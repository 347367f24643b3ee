/** Each makes a result depend on something other than its input, or runs text as code. */
export const BANNED_FUNCTIONS = ['eval', 'random', 'now', 'millis'] as const;

const BANNED: ReadonlySet<string> = new Set(BANNED_FUNCTIONS);

export const isBanned = (name: unknown): boolean => typeof name === 'string' && BANNED.has(name);
