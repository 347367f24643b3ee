import { afterAll } from 'vitest';
import { closePages } from './browser.ts';

/**
 * Vitest runs this for each file of a project that lists it in `setupFiles`, even when a worker runs many.
 */
afterAll(closePages);
