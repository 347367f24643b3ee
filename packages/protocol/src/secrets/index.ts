export {
  type Echoes,
  echoesOf,
  type Kind,
  MASK,
  maskEchoes,
  numbersOf,
  SHORTEST,
  type SuppliedText,
  unitsOf,
} from './echo-mask.ts';
export { foldText } from './folded-text.ts';
export { asksForCode, isSecretByValue, namesASecret, words } from './secret-words.ts';
export { maskShapes, maskShapesIn } from './shape-mask.ts';
