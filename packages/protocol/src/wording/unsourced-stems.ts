import type { CommitCategory } from './commit-phrase.ts';

/** Stems by language and category where no phrase with a source page was found. A test lets this list only shrink. */
export const UNSOURCED: Readonly<Record<string, Partial<Record<CommitCategory, readonly string[]>>>> = {
  pl: {
    book: ['zarezerwuj'],
    transfer: ['^sprzedaj$', 'wypłać'],
  },
  cs: {
    cancel: ['odvolat přístup', 'opustit skupinu'],
    transfer: ['^prodat$', 'vybrat peníze'],
  },
  uk: {
    transfer: ['^продати$', 'вивести … кошти'],
  },
  hu: {
    publish: ['közzététel'],
    book: ['foglalás most'],
  },
  tr: {
    transfer: ['^sat$', 'para çek'],
    cancel: ['gruptan ayrıl', 'erişimi iptal et'],
    book: ['rezervasyon yap'],
  },
  ar: {
    publish: ['نشر'],
    book: ['احجز'],
    cancel: ['إلغاء الوصول', 'مغادرة المجموعة'],
    transfer: ['سحب الأموال'],
  },
  he: {
    publish: ['פרסם'],
  },
  hi: {
    pay: ['भुगतान करें'],
    publish: ['प्रकाशित करें'],
  },
  id: {
    publish: ['terbitkan'],
  },
  nl: {
    book: ['nu boeken'],
    transfer: [
      'overmaken',
      'eigendom overdragen',
      '^verkopen$',
      'nu verkopen',
      'geld opnemen',
      'terugbetalen',
    ],
  },
  sv: {
    sign: ['signera'],
    transfer: ['^sälj$', 'ta ut pengar'],
  },
  da: {
    publish: ['offentliggør', 'gør offentlig'],
    book: ['bestil tid'],
    cancel: ['tilbagekald', 'forlad gruppe*'],
    transfer: ['^sælg$'],
  },
  no: {
    order: ['kjøp', 'legg inn bestilling', 'bestill nå'],
    cancel: ['tilbakekall', 'forlat gruppe*'],
    transfer: ['^selg$'],
  },
  fi: {
    publish: ['julkaise', 'julkista'],
    sign: ['allekirjoita'],
    transfer: ['^myy$', 'nosta rahaa'],
  },
  es: {
    subscribe: ['suscribirse'],
  },
  it: {
    transfer: ['^vendi$', 'vendi ora', 'preleva', 'rimborsa', 'trasferisci', 'sblocca … fondi'],
    book: ['prenota'],
  },
  ro: {
    publish: ['publică'],
    book: ['rezervă'],
    cancel: ['revocă', 'părăsește … grupul'],
    transfer: ['^vinde$', 'retrage … fonduri'],
  },
  'zh-Hans': {
    order: ['立即购买', '^购买$', '下单'],
    cancel: ['撤销访问', '退出团队'],
    book: ['立即预订'],
    sign: ['签署'],
  },
  'zh-Hant': {
    order: ['立即購買', '下單'],
    transfer: ['轉帳', '提領', '^賣出'],
    cancel: ['撤銷存取'],
    book: ['立即預訂'],
    sign: ['簽署'],
  },
  ja: {
    book: ['予約する'],
    sign: ['署名する'],
    transfer: ['振り込む', '出金する', '売却する', '返金する'],
    cancel: ['アクセスを取り消', '退会する', '脱退する'],
  },
  th: {
    book: ['^จอง'],
  },
  ko: {
    book: ['예약하*'],
    transfer: ['판매하*', '출금하*', '환불하*'],
    cancel: ['탈퇴하*'],
  },
};
