import { type CommitPhrase, cashier, jetstream, phrasesFrom } from './commit-phrase.ts';

/** Languages of which only the words of a payment have a source: for the others, structure decides. */
export const PAYMENTS: readonly CommitPhrase[] = [
  ...phrasesFrom('bg', cashier('bg'), [
    ['pay', 'плащане #', 'Плащане :amount', ['^плащане$', 'плати', 'платете']],
    ['confirm', 'потвърдете плащането', 'Потвърдете Плащането'],
  ]),
  ...phrasesFrom('bg', jetstream('bg'), [['delete', 'изтрий', 'Изтрий', ['изтриване']]]),
  ...phrasesFrom('hr', cashier('hr'), [
    ['pay', 'plati', 'Plati :amount', ['platite']],
    ['confirm', 'potvrdite plaćanje', 'Potvrdite Plaćanje', ['potvrdi plaćanje']],
  ]),
  ...phrasesFrom('sl', cashier('sl'), [
    ['pay', 'plača #', 'Plača :amount', ['^plačaj$', 'plačaj zdaj', 'plačaj #']],
    ['confirm', 'potrdi plačilo', 'Potrdi Plačilo'],
  ]),
  ...phrasesFrom('et', cashier('et'), [
    ['pay', 'palk #', 'Palk :amount', ['maksa kohe']],
    ['confirm', 'kinnita makse', 'Kinnita Makse'],
  ]),
  ...phrasesFrom('lt', cashier('lt'), [
    ['pay', 'mokėti', 'Mokėti :amount', ['^apmokėti$']],
    ['confirm', 'patvirtinkite mokėjimą', 'Patvirtinkite Mokėjimą', ['patvirtinti mokėjimą']],
  ]),
  ...phrasesFrom('lv', cashier('lv'), [
    ['pay', 'maksāt', 'Maksāt :amount', ['apmaksāt']],
    ['confirm', 'apstipriniet maksājumu', 'Apstipriniet Maksājumu', ['apstiprināt maksājumu']],
  ]),
  ...phrasesFrom('is', cashier('is'), [
    ['pay', 'borga', 'Borga :amount'],
    ['confirm', 'staðfesta greiðslu', 'Staðfesta Greiðslu'],
  ]),
  ...phrasesFrom('sq', cashier('sq'), [
    ['pay', 'paguaj', 'Paguaj :amount'],
    ['confirm', 'konfirmo pagesën', 'Konfirmo Pagesën'],
  ]),
  ...phrasesFrom('mk', cashier('mk'), [
    ['pay', 'плати', 'Плати :amount'],
    ['confirm', 'потврдете плаќање', 'Потврдете плаќање'],
  ]),
  ...phrasesFrom('kk', cashier('kk'), [
    ['pay', 'төлем #', 'Төлем :amount', ['^төлеу$']],
    ['confirm', 'төлемді растаңыз', 'Төлемді Растаңыз'],
  ]),
  ...phrasesFrom('hy', cashier('hy'), [
    ['pay', 'վճարում #', 'Վճարում :amount', ['^վճարել$']],
    ['confirm', 'հաստատեք վճարումը', 'Հաստատեք Վճարումը'],
  ]),
  ...phrasesFrom('ka', cashier('ka'), [
    ['pay', 'გადახდა #', 'გადახდა :amount', ['^გადახდა$']],
    ['confirm', 'დაადასტურეთ გადახდა', 'დაადასტურეთ გადახდა'],
  ]),
  ...phrasesFrom('bn', cashier('bn'), [['confirm', 'পেমেন্ট নিশ্চিত করুন', 'পেমেন্ট নিশ্চিত করুন']]),
  ...phrasesFrom('sw', cashier('sw'), [
    ['pay', 'kulipa', 'Kulipa :amount', ['^lipa$', 'lipa sasa', 'lipa #']],
    ['confirm', 'kuthibitisha malipo', 'Kuthibitisha Malipo'],
  ]),
];
