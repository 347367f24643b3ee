type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that hold a model provider's key; the relay's brain reads exactly these. */
export const MODEL_KEY_VARIABLES = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  compatible: ['DRAWBRIDGE_MODEL_KEY'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const MODEL_KEYS: ReadonlySet<string> = new Set(Object.values(MODEL_KEY_VARIABLES).flat());

/** libpq reads every `PG…` variable: https://www.postgresql.org/docs/current/libpq-envars.html */
const RELAY_VARIABLE = /^(?:DRAWBRIDGE_.*|DATABASE_URL|POSTGRES(?:QL)?_.*|PG[A-Z0-9]+|NATS_.*)$/;

const isRelayVariable = (name: string): boolean => MODEL_KEYS.has(name) || RELAY_VARIABLE.test(name);

/**
 * The environment for a program that Drawbridge starts: without Drawbridge's own variables, database and bus
 * addresses and model keys, except those that `named` lists. Upper case is compared: Windows ignores case.
 */
export function childEnvironment(
  env: Environment,
  named: readonly string[] = [],
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => named.includes(name) || !isRelayVariable(name.toUpperCase())),
  );
}
