export interface Way {
  readonly applies: () => boolean;
  readonly install: () => Promise<unknown>;
}
export function ensureChromium(parts?: {
  readonly find?: () => string | undefined;
  readonly ways?: readonly Way[];
}): Promise<string | undefined>;
export function testBrowsers(): Promise<Record<string, string>>;
