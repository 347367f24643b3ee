export {
  asDictionary,
  type InputOf,
  type KnownPrimitive,
  type OutputOf,
  PRIMITIVES,
  type PrimitiveName,
  primitiveByName,
  primitivesFor,
} from './dictionary.ts';
export { misfitOf } from './fit.ts';
export { HOST_KINDS, type HostKind } from './host-kind.ts';
export { adviceForOther, OTHER_NAMES } from './other-names.ts';
export { CAPABILITY_CLASSES, type CapabilityClass, type PrimitiveSpec } from './primitive-spec.ts';
