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
  readonly language: string;
  readonly category: CommitCategory;
  /** In the form of `createCommitMatcher`. */
  readonly stem: string;
  /** A button's text on the source page, with `:amount` for an amount. */
  readonly phrase: string;
  readonly source: string;
  /** Stems of the same language and category, added by hand. The source page does not have them. */
  readonly variants: readonly string[];
}

type Entry = readonly [category: CommitCategory, stem: string, phrase: string, variants?: readonly string[]];

/** The entries of one source. */
export const phrasesFrom = (language: string, source: string, entries: readonly Entry[]): CommitPhrase[] =>
  entries.map(([category, stem, phrase, variants = []]) => ({
    language,
    category,
    stem,
    phrase,
    source,
    variants,
  }));

const GITHUB = 'https://github.com';
const laravel = (locale: string, name: string): string =>
  `${GITHUB}/Laravel-Lang/lang/blob/main/locales/${locale}/packages/${name}.json`;
/** The API of Laravel Cashier, which takes payments. */
export const cashier = (locale: string): string => laravel(locale, 'cashier');
/** Laravel Jetstream manages accounts. */
export const jetstream = (locale: string): string => laravel(locale, 'jetstream');
/** Laravel Spark sells subscriptions. */
export const spark = (locale: string): string => laravel(locale, 'spark-stripe');
export const bootstrapIcon = (name: string): string => `${GITHUB}/twbs/icons/blob/main/icons/${name}.svg`;
export const dawn = (locale: string): string => `${GITHUB}/Shopify/dawn/blob/main/locales/${locale}.json`;
export const gitea = (locale: string): string =>
  `${GITHUB}/go-gitea/gitea/blob/main/options/locale/locale_${locale}.json`;
