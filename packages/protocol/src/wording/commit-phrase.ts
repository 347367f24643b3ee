/** Kinds of commitment by a button. `confirm` is the last step of any of them. */
export type CommitCategory =
  | 'pay'
  | 'order'
  | 'send'
  | 'delete'
  | 'publish'
  | 'grant'
  | 'sign'
  | 'transfer'
  | 'subscribe'
  | 'book'
  | 'cancel'
  | 'confirm';

export interface CommitPhrase {
  /** In the form of `createCommitMatcher`. */
  readonly stem: string;
  readonly category: CommitCategory;
  /** A button's text on the source page; empty when the stem is a variant of the previous row. */
  readonly phrase: string;
  readonly language: string;
  readonly source: string;
}

type Row = readonly [category: CommitCategory, stem: string, phrase?: string];

/** The rows of one source. */
export const phrasesFrom = (language: string, source: string, rows: readonly Row[]): CommitPhrase[] =>
  rows.map(([category, stem, phrase = '']) => ({ stem, category, phrase, language, source }));

const GITHUB = 'https://github.com';
export const dawn = (locale: string): string => `${GITHUB}/Shopify/dawn/blob/main/locales/${locale}.json`;
export const gitea = (locale: string): string =>
  `${GITHUB}/go-gitea/gitea/blob/main/options/locale/locale_${locale}.json`;
/** The API of Laravel Cashier, which takes payments. */
export const cashier = (locale: string): string =>
  `${GITHUB}/Laravel-Lang/lang locales/${locale}/packages/cashier.json`;
/** Laravel Jetstream manages accounts. */
export const jetstream = (locale: string): string =>
  `${GITHUB}/Laravel-Lang/lang locales/${locale}/packages/jetstream.json`;
/** Laravel Spark sells subscriptions. */
export const spark = (locale: string): string =>
  `${GITHUB}/Laravel-Lang/lang locales/${locale}/packages/spark-stripe.json`;
