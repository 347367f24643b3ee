export {
  type Echoes,
  echoesOf,
  MASK,
  maskEchoes,
  SHORTEST,
} from './echo-mask.ts';
export { foldText } from './folded-text.ts';
export { asksForCode, isSecretByValue, namesASecret, words } from './secret-words.ts';
export { maskKeys, maskShapes, maskShapesIn } from './shape-mask.ts';
