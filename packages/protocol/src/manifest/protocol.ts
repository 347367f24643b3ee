import { manifestChecks } from '../generated/manifest-checks.ts';
import { LIMITS } from '../wire/limits.ts';
import { defineProtocol } from '../wire/protocol.ts';
import { MANIFESTS, type Manifest } from './manifest.ts';

/** The shape of a map. The map engine validates references between its parts. */
export const manifest = defineProtocol<Manifest>({
  noun: 'map',
  maxChars: LIMITS.manifest.value,
  refuseWith: 'invalid_input',
  schemas: MANIFESTS,
  checks: manifestChecks,
  kindOf: () => 'manifest',
});
