import { createContext, use } from 'react';
import { en, type Words } from './en.ts';

export const WordsContext = createContext<Words>(en);

export const useWords = (): Words => use(WordsContext);
