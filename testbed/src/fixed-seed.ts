import fc from 'fast-check';

/** Vitest runs this before each file: `npm test` repeats the same random cases, `npm run deep` draws new ones. */
if (process.env['DRAWBRIDGE_DEEP'] === undefined) fc.configureGlobal({ seed: 1 });
