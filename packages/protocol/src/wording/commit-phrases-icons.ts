import { bootstrapIcon, type CommitPhrase, phrasesFrom } from './commit-phrase.ts';

/** Names of icons, which page code reports as `icon NAME` for a control without words. */
export const ICONS: readonly CommitPhrase[] = [
  ...phrasesFrom('en', bootstrapIcon('trash'), [
    [
      'delete',
      'icon … trash*',
      'icon bi-trash',
      ['garbage', 'dustbin', 'bin', 'wastebasket', 'rubbish', 'recycle bin', 'bomb', 'eraser'].map(
        (word) => `icon … ${word}`,
      ),
    ],
  ]),
  ...phrasesFrom('en', bootstrapIcon('credit-card'), [
    [
      'pay',
      'icon … credit card',
      'icon bi-credit-card',
      ['creditcard', 'money*', 'cash', 'coins', 'banknote', 'dollar', 'payment'].map(
        (word) => `icon … ${word}`,
      ),
    ],
  ]),
  ...phrasesFrom(
    'en',
    'https://github.com/FortAwesome/Font-Awesome/blob/57005cea6da7d1c67f3466974aecd25485f60452/svgs/solid/paper-plane.svg',
    [['send', 'icon … paper plane', 'icon fa-paper-plane', ['icon … paperplane']]],
  ),
];
