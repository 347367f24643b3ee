type Environment = Readonly<Record<string, string | undefined>>;

export const OLDEST_POSTGRES: number;
export function findPostgres(env?: Environment, debian?: string): string | undefined;
