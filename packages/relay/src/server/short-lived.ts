import { setFlagsFromString } from 'node:v8';

/**
 * V8 makes an object old from the start when most of those that were made in the same place had outlived a young collection. Under
 * load these are what a send needs until it is stored. They would be gone a few milliseconds later; as old ones they stay until a full
 * collection, and so does all that hangs on them, which the young collections have to carry along.
 */
export function letShortLivedDieYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
