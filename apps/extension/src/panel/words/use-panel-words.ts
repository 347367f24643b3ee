import { createContext, use } from 'react';
import { en, type PanelWords } from './en.ts';

export const PanelWordsContext = createContext<PanelWords>(en);

export const usePanelWords = (): PanelWords => use(PanelWordsContext);
