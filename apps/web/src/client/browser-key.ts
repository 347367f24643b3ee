import { openBrowserKeys } from '@drawbridge/link';

export const { newKey: newBrowserKey, proofFor, provenFetch } = openBrowserKeys();
