type Environment = Readonly<Record<string, string | undefined>>;

export function findNats(env?: Environment): string | undefined;
