export {
  createElementRegistry,
  type ElementRegistry,
  type Fingerprint,
} from './identity/element-registry.ts';

// Perceive
export { fullNameOf, nameOf } from './perceive/accessible-name.ts';
export { deepElementFromPoint, type Hit, hitTest, type Point, pressTarget } from './perceive/hit-test.ts';
export { roleOf, shortRole } from './perceive/role.ts';
export { isVisible } from './perceive/visibility.ts';
export { isFilled, isSecretField, visibleValueOf } from './secrets/secret-field.ts';
