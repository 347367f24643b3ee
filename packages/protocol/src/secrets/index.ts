export {
  echoPattern,
  MASK,
  maskEchoes,
  SHORT_NUMBER,
  SHORTEST,
  shortNumberLength,
} from './echo-mask.ts';
export { isSecretByValue, namesASecret, words } from './secret-words.ts';
export { maskShapes, maskShapesIn } from './shape-mask.ts';
