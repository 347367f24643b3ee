/**
 * Phrases that contain a word of the table without a commitment; they are removed before matching. The
 * non-English ones clear a filter or a search in https://github.com/Shopify/dawn/tree/main/locales.
 */
export const HARMLESS_PHRASES: readonly string[] = [
  'paypal',
  'pay pal',
  'sort order',
  'order by',
  'check out our',
  'check out the',
  'check out these',
  'purchase history',
  'purge cache',
  'purge the cache',
  'delete filter',
  'delete filters',
  'filter verwijderen',
  'удалить поисковый запрос',
  '絞り込みを削除',
  '删除所有筛选条件',
];
