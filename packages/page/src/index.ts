export {
  createElementRegistry,
  type ElementRegistry,
  type Fingerprint,
} from './identity/element-registry.ts';
