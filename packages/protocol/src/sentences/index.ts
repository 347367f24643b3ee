export { type StepWords, stepActionOf } from './step-sentence.ts';
export { stepWordsEn } from './step-words-en.ts';
export { toolTitle } from './tool-title.ts';
export { readableText, valueLines } from './value-lines.ts';
