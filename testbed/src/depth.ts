/** Set by `npm run deep`, which runs all cases and the full counts. */
export const isDeep = process.env['DRAWBRIDGE_DEEP'] !== undefined;

/** All cases in `npm run deep`; in `npm test` the first of every `nth`. */
export function sampled<Case>(cases: readonly Case[], nth: number): readonly Case[] {
  return isDeep ? cases : cases.filter((_, index) => index % nth === 0);
}
