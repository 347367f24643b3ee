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
const fileAt = (repository: string, commit: string, path: string): string =>
  `${GITHUB}/${repository}/blob/${commit}/${path}`;
/** A shop system. */
export const bagisto = (locale: string): string =>
  `${GITHUB}/bagisto/bagisto/blob/0051f31683e6dbebbd96860de7b396e1e289d97f/packages/Webkul/Shop/src/Resources/lang/${locale}/app.php`;
/** The order button of Blesta, which sells hosting. */
export const blesta = (locale: string): string =>
  `${GITHUB}/blesta/language/blob/HEAD/plugins/order/views/templates/wizard/language/${locale}/main.php`;
/** Rents cars; one file has all languages. */
export const bookcars = (): string =>
  `${GITHUB}/aelassas/bookcars/blob/7e1492df1740c7bf8db0b5577126f5d5a473c3dc/frontend/src/lang/checkout.ts`;
/** The editor of a content management system. */
export const decap = (locale: string): string =>
  `${GITHUB}/decaporg/decap-cms/blob/HEAD/packages/decap-cms-locales/src/${locale}/index.js`;
/** Signs documents; one file has all languages. */
export const docuseal = (): string =>
  `${GITHUB}/docusealco/docuseal/blob/HEAD/app/javascript/submission_form/i18n.js`;
/** Access of applications to a Mastodon account. */
export const doorkeeper = (locale: string): string =>
  `${GITHUB}/mastodon/mastodon/blob/main/config/locales/doorkeeper.${locale}.yml`;
/** Books appointments. */
export const tobook = (locale: string): string =>
  `${GITHUB}/thistehneisen/tobook/blob/018ba0ee0bce9e9e70d0619d036d0467d3e413ed/app/lang/${locale}/home.php`;
/** A wallet. */
export const cake = (locale: string): string =>
  fileAt(
    'cake-tech/cake_wallet',
    '00045448c7bd0aea97246e91701485bddfc1f40b',
    `res/values/strings_${locale}.arb`,
  );
/** Books salons. */
export const glamour = (locale: string, commit = '09c65ecd9c08e11a54054d6a6c4ff49df8e317de'): string =>
  fileAt('Jesse-Joe/GlamourSchedule.com', commit, `resources/lang/${locale}/messages.php`);
/** Books hotel rooms. */
export const hotel = (locale: string): string =>
  fileAt(
    'dorianoprea08/grand-hotel-continental',
    '33adabc5a332f3f5a0f882a22de905c3d469ee92',
    `src/locales/${locale}.ts`,
  );
/** A wallet that signs. */
export const metamask = (locale: string, commit: string): string =>
  fileAt('MetaMask/metamask-extension', commit, `app/_locales/${locale}/messages.json`);
/** The buttons of a content management system. */
export const pyro = (language: string, commit: string): string =>
  fileAt('pyrocms/pyrocms', commit, `system/cms/language/${language}/buttons_lang.php`);
/** A bank in a game. */
export const renewed = (locale: string, commit: string): string =>
  fileAt('Renewed-Scripts/Renewed-Banking', commit, `locales/${locale}.json`);
/** An exchange. */
export const robosats = (locale: string): string =>
  fileAt(
    'RoboSats/robosats',
    '013ca083c4ef0cefbf44fce68cfc23c737f84ae0',
    `frontend/static/locales/${locale}.json`,
  );
/** Books tables; one file has all languages. */
export const sushi = (): string =>
  fileAt('sushihoiban/SushiAiStudio', '109b325161c9a5f319e3a268f64435ad2e3ebadd', 'src/locales/home.ts');
