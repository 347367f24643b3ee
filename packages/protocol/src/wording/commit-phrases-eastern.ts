import {
  bagisto,
  blesta,
  type CommitPhrase,
  cake,
  cashier,
  dawn,
  decap,
  docuseal,
  doorkeeper,
  glamour,
  jetstream,
  phrasesFrom,
  pyro,
  renewed,
} from './commit-phrase.ts';

/** Languages with spaces: Slavic, Hungarian, Greek, Turkish, Semitic, Hindi, Indonesian and Vietnamese. */
export const EASTERN: readonly CommitPhrase[] = [
  ...phrasesFrom('pl', cashier('pl'), [
    ['pay', 'zapłać', 'Zapłać :amount'],
    ['confirm', 'potwierdź', 'Potwierdź Płatność'],
  ]),
  ...phrasesFrom('pl', dawn('pl'), [
    [
      'order',
      'realizuj zakup',
      'Realizuj zakup',
      ['kup teraz', '^kup$', 'kupuję', 'zamawiam', 'złóż zamówienie'],
    ],
    ['send', 'wyślij', 'Wyślij'],
    ['send', 'prześlij', 'Prześlij'],
    ['delete', 'usuń', 'Usuń', ['ustawień fabrycznych', 'ustawienia fabryczne', 'opróżnij … kosz']],
  ]),
  ...phrasesFrom('cs', cashier('cs'), [
    ['pay', 'zaplatit', 'Zaplatit :amount'],
    ['confirm', 'potvrďte', 'Potvrďte platbu', ['potvrdit']],
  ]),
  ...phrasesFrom('cs', dawn('cs'), [
    ['send', 'odeslat', 'Odeslat'],
    ['delete', 'odstranit', 'Odstranit', ['smazat', 'továrního nastavení', 'vysypat koš']],
  ]),
  ...phrasesFrom('ru', cashier('ru'), [
    ['pay', 'оплатить', 'Оплатить :amount'],
    ['confirm', 'подтвердить', 'Подтвердить оплату', ['подтвердите']],
  ]),
  ...phrasesFrom('ru', dawn('ru'), [
    ['order', 'оформить заказ', 'Оформить заказ', ['купить', 'заказать']],
    ['send', 'отправить', 'Отправить'],
    ['delete', 'удалить', 'Удалить', ['заводским … настройкам', 'заводских … настроек', 'очистить корзину']],
    [
      'publish',
      'опубликовать',
      'Опубликовать в Твиттере',
      ['сделать … публичным', 'сделать … общедоступным'],
    ],
    ['subscribe', 'подписаться', 'Подписаться'],
  ]),
  ...phrasesFrom('uk', cashier('uk'), [
    ['pay', 'плати', 'Плати :amount', ['сплатити', 'оплатити']],
    ['confirm', 'підтвердіть', 'Підтвердіть Оплату', ['підтвердити']],
  ]),
  ...phrasesFrom('uk', jetstream('uk'), [
    ['delete', 'видалити', 'Видалити аккаунт', ['заводських … налаштувань']],
    ['send', 'відправити', 'Відправити лист із підтвердженням', ['надіслати']],
  ]),
  ...phrasesFrom('hu', cashier('hu'), [
    ['pay', 'fizetés #', 'Fizetés :amount', ['^fizetés$', 'fizetek']],
    ['confirm', 'erősítse meg', 'Erősítse meg a :amount-as fizetést'],
    ['confirm', 'fizetés megerősítése', 'Fizetés Megerősítése'],
  ]),
  ...phrasesFrom('hu', dawn('hu'), [
    ['order', '^megrendelés$', 'Megrendelés', ['megrendelem', 'megvásárlom', '^vásárlás$']],
    ['send', 'küldés', 'Küldés'],
    ['delete', 'törlés', 'Törlés'],
  ]),
  ...phrasesFrom('el', cashier('el'), [
    ['pay', 'πληρώστε', 'Πληρώστε :amount', ['^πληρωμή$']],
    ['confirm', 'επιβεβαιώστε', 'Επιβεβαιώστε Την Πληρωμή'],
  ]),
  ...phrasesFrom('el', dawn('el'), [
    [
      'order',
      'ολοκλήρωση … αγοράς',
      'ολοκλήρωση της αγοράς',
      ['αγοράστε', 'ολοκλήρωση παραγγελίας', '^αγορά$', 'αγορά τώρα'],
    ],
    ['send', 'υποβολή', 'Υποβολή', ['^αποστολή$']],
    ['delete', 'διαγραφή', 'Διαγραφή'],
  ]),
  ...phrasesFrom('tr', cashier('tr'), [
    ['confirm', 'onayla', 'Ödemeyi Onayla', ['onaylayın']],
    ['pay', 'ödeme #', 'Ödeme :amount', ['ödeme yap', 'ödemeyi', '^öde$']],
  ]),
  ...phrasesFrom('tr', dawn('tr'), [
    ['send', 'gönder', 'Gönder'],
    ['delete', 'sil', 'Sil', ['fabrika ayarlarına']],
    ['subscribe', 'abone ol', 'Abone ol'],
  ]),
  ...phrasesFrom('ar', cashier('ar'), [
    ['pay', 'ادفع', 'ادفع :amount'],
    ['confirm', 'تأكيد', 'تأكيد عملية الدفع'],
  ]),
  ...phrasesFrom('ar', jetstream('ar'), [
    ['delete', 'حذف', 'حذف الحساب'],
    ['delete', 'احذف', 'احذف حسابك بشكل دائم.', ['ضبط المصنع']],
    ['send', 'ارسال', 'إعادة ارسال بريد التحقق', ['إرسال']],
  ]),
  ...phrasesFrom('he', cashier('he'), [
    ['pay', 'שלם', 'שלם :amount', ['לתשלום']],
    ['confirm', 'אשר', 'אשר תשלום'],
  ]),
  ...phrasesFrom(
    'he',
    'https://github.com/mastodon/mastodon/blob/main/app/javascript/mastodon/locales/he.json',
    [
      ['send', 'שליחה', 'שליחה', ['שלח']],
      ['delete', 'מחיקת', 'מחיקת רשימה', ['מחיקה', 'מחק']],
      ['grant', 'מתן הרשאה', 'מתן הרשאה.'],
    ],
  ),
  ...phrasesFrom('hi', cashier('hi'), [['confirm', 'पुष्टि करें', 'भुगतान की पुष्टि करें']]),
  ...phrasesFrom('hi', jetstream('hi'), [
    ['delete', 'हटाएं', 'खाता हटाएं'],
    ['send', 'भेजें', 'सत्यापन ईमेल पुनः भेजें'],
  ]),
  ...phrasesFrom('id', cashier('id'), [
    ['pay', 'bayar', 'Bayar :amount'],
    ['confirm', 'konfirmasi', 'Konfirmasi Pembayaran'],
  ]),
  ...phrasesFrom('id', dawn('id'), [
    ['confirm', 'check out', 'Check out'],
    ['send', 'kirim', 'Kirim'],
    ['delete', 'hapus', 'Hapus'],
  ]),
  ...phrasesFrom('vi', cashier('vi'), [
    ['confirm', 'xác nhận', 'Xác Nhận Thanh Toán'],
    ['pay', 'trả #', 'Trả :amount', ['^trả tiền']],
  ]),
  ...phrasesFrom('vi', dawn('vi'), [
    ['pay', '^thanh toán', 'Thanh toán'],
    ['send', '^gửi', 'Gửi'],
    ['delete', 'xóa', 'Xóa'],
    ['order', '^mua', 'Mua ngay', ['đặt hàng ngay', '^đặt hàng$']],
  ]),
  ...phrasesFrom('pl', decap('pl'), [['publish', 'opublikuj', 'Opublikuj', ['upublicznij']]]),
  ...phrasesFrom('pl', docuseal(), [['sign', 'podpisz', 'Podpisz teraz']]),
  ...phrasesFrom('pl', doorkeeper('pl'), [
    ['cancel', 'unieważnij', 'Unieważnij', ['cofnij dostęp', 'opuść … grupę', 'opuść … zespół']],
  ]),
  ...phrasesFrom('cs', blesta('cs_cz'), [['order', 'objednat', 'Objednat nyní', ['koupit']]]),
  ...phrasesFrom('ru', jetstream('ru'), [
    ['cancel', 'покинуть … команду', 'Покинуть команду', ['отозвать', 'покинуть … группу']],
  ]),
  ...phrasesFrom('uk', blesta('uk_ua'), [['order', 'замовити', 'Замовити зараз', ['купити']]]),
  ...phrasesFrom('uk', decap('uk'), [['publish', 'опублікувати', 'Опублікувати']]),
  ...phrasesFrom('uk', doorkeeper('uk'), [
    ['cancel', 'відкликати', 'Відкликати авторизацію', ['покинути … групу']],
  ]),
  ...phrasesFrom('el', decap('gr'), [['publish', 'δημοσίευση', 'Δημοσίευση τώρα']]),
  ...phrasesFrom('tr', decap('tr'), [['publish', 'yayınla', 'Yayınla', ['herkese açık yap']]]),
  ...phrasesFrom('id', blesta('id_id'), [
    ['order', 'pesan sekarang', 'Pesan Sekarang', ['beli', 'buat pesanan']],
  ]),
  ...phrasesFrom('tr', bagisto('tr'), [['order', 'sipariş ver', 'Sipariş Ver', ['satın al']]]),
  ...phrasesFrom('ar', bagisto('ar'), [['order', 'اشتر الآن', 'اشتر الآن', ['شراء', 'إتمام الطلب']]]),
  ...phrasesFrom('he', bagisto('he'), [['order', 'קנה', 'קנה עכשיו', ['קנייה', '^הזמן$', 'הזמן עכשיו']]]),
  ...phrasesFrom('hi', bagisto('hi_IN'), [['order', 'खरीदें', 'अब खरीदें', ['ऑर्डर करें', 'बुक करें']]]),
  ...phrasesFrom(
    'ru',
    'https://github.com/yboi/anna-sharm/blob/ffeb1369fc28d3140c5a649f285f611b2106d8db/catalog/language/russian/information/booking.php',
    [['book', 'забронировать', 'Забронировать']],
  ),
  ...phrasesFrom(
    'ru',
    'https://github.com/MetaMask/metamask-extension/blob/0003a006bb1743030ec93cdfc4547f5237392eba/app/_locales/ru/messages.json',
    [['sign', 'подписать', 'Подписать']],
  ),
  ...phrasesFrom(
    'cs',
    'https://github.com/mastodon/mastodon/blob/0b1af5bba75cab629070e6335f4709789e2b4815/app/javascript/mastodon/locales/cs.json',
    [['publish', 'zveřejnit', 'Zveřejnit']],
  ),
  ...phrasesFrom(
    'ru',
    'https://github.com/RoboSats/robosats/blob/013ca083c4ef0cefbf44fce68cfc23c737f84ae0/frontend/static/locales/ru.json',
    [['transfer', '^продать$', 'Продать', ['перевести', 'вывести … средства', 'вывести … деньги']]],
  ),
  ...phrasesFrom('pl', glamour('pl'), [['book', 'zarezerwuj', 'Zarezerwuj teraz']]),
  ...phrasesFrom(
    'pl',
    'https://github.com/ToshiM17/CryptoTraderGameV1/blob/2bc79d0cd8fa2d83bec5f2f16d947c3e8a9cd051/locales/pl.ts',
    [['transfer', '^sprzedaj$', 'Sprzedaj', ['wypłać', 'przelej', 'wykonaj przelew']]],
  ),
  ...phrasesFrom('cs', jetstream('cs'), [
    ['cancel', 'opustit … tým', 'Opustit Tým', ['odvolat přístup', 'opustit skupinu']],
  ]),
  ...phrasesFrom('cs', cake('cs'), [['transfer', '^prodat$', 'Prodat', ['vybrat peníze']]]),
  ...phrasesFrom('uk', cake('uk'), [['transfer', '^продати$', 'Продати', ['вивести … кошти']]]),
  ...phrasesFrom('hu', decap('hu'), [['publish', 'publikálás most', 'Publikálás most', ['közzététel']]]),
  ...phrasesFrom('hu', glamour('hu'), [['book', 'foglalás most', 'Foglalas most']]),
  ...phrasesFrom('tr', renewed('tr', '5303dc010a109c1b2c179474da48c2719a535ddf'), [
    ['transfer', '^aktar$', 'Aktar', ['^sat$', 'para çek']],
  ]),
  ...phrasesFrom('tr', jetstream('tr'), [
    ['cancel', 'ekipten ayrıl', 'Ekipten Ayrıl', ['gruptan ayrıl', 'erişimi iptal et']],
  ]),
  ...phrasesFrom('tr', glamour('tr'), [['book', 'rezervasyon yap', 'Hemen Rezervasyon Yap']]),
  ...phrasesFrom('ar', pyro('arabic', '2996087464cbbaa22463eb1b7ea857c157689542'), [
    ['publish', 'نشر', 'نشر'],
  ]),
  ...phrasesFrom(
    'ar',
    'https://github.com/MutasemKharma/modern-seaside-stay-2465-1/blob/e0b85d212e3eea4b36358db0019f93826083718d/src/locales/ar.ts',
    [['book', 'احجز', 'احجز شاليه', ['^حجز$', 'تأكيد الحجز']]],
  ),
  ...phrasesFrom('ar', jetstream('ar'), [
    ['cancel', 'مغادرة الفريق', 'مغادرة الفريق', ['إلغاء الوصول', 'مغادرة المجموعة']],
  ]),
  ...phrasesFrom('ar', cake('ar'), [
    ['transfer', '^بيع$', 'بيع', ['سحب الأموال', '^تحويل$', 'تحويل #', 'تحويل الأموال']],
  ]),
  ...phrasesFrom('he', decap('he'), [['publish', '^פרסום$', 'פרסום', ['פרסם']]]),
  ...phrasesFrom('hi', glamour('hi', 'f09b926ed0ac64317b0900feccd8d551ebdd8ec3'), [
    ['pay', 'भुगतान करें', 'अभी भुगतान करें'],
  ]),
  ...phrasesFrom(
    'hi',
    'https://github.com/HeyPuter/puter/blob/02e62f1625629dfc434483f97071f4f6d80c15a2/src/gui/src/i18n/translations/hi.js',
    [['publish', 'प्रकाशित करें', 'वेबसाइट के रूप में प्रकाशित करें']],
  ),
  ...phrasesFrom('id', pyro('indonesian', '1ee8643c3110c3bdd434d9d282b1c2796636e814'), [
    ['publish', 'publikasikan', 'Publikasikan', ['terbitkan']],
  ]),
];
