import { setFlagsFromString } from 'node:v8';

/**
 * V8 allocates an object as old when most objects of the same site have survived a young collection. Under
 * load these are the objects that a send needs until it is stored. They die a few milliseconds later; as old
 * objects they stay until a full collection, with everything they reference, which young collections then
 * have to carry along.
 */
export function letShortLivedDieYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
