type Environment = Readonly<Record<string, string | undefined>>;

export function findChromium(env?: Environment, platform?: string): string | undefined;
export function wellKnownPlaces(env: Environment, platform: string): string[];
export function playwrightPlaces(env: Environment, platform: string): string[];
export function carriedChromium(env?: Environment): string;
export const HEADLESS_SHELL: string;
