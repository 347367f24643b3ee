export {
  type Echoes,
  echoesOf,
  MASK,
  type Masked,
  maskEchoes,
  maskParts,
  type Range,
  SHORTEST,
} from './echo-mask.ts';
export { foldText } from './folded-text.ts';
export { asksForCode, isSecretByValue, namesASecret, words } from './secret-words.ts';
export { maskKeys, maskShapes, maskShapesIn } from './shape-mask.ts';
