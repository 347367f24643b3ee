import { createCommitMatcher } from './commit-matcher.ts';

/** Names of buttons that leave a dialog without confirming it. */
const DISMISSALS: readonly string[] = [
  ...['cancel', 'no', 'no thanks', 'no thank you', 'close', 'close dialog', 'close window', 'close modal'],
  ...['dismiss', 'not now', 'later', 'maybe later', 'back', 'go back', 'never mind', 'keep', 'keep it'],
  ...['keep editing', 'decline', 'reject', 'reject all', 'skip', 'x', 'remind me later', 'stay'],
  ...['abbrechen', 'nein', 'nein danke', 'schließen', 'zurück', 'später', 'nicht jetzt', 'ablehnen'],
  ...['annuleren', 'nee', 'nee bedankt', 'sluiten', 'terug', 'later', 'niet nu', 'weigeren'],
  ...[
    'avbryt',
    'nej',
    'nej tack',
    'stäng',
    'tillbaka',
    'nei',
    'lukk',
    'annuller',
    'luk',
    'tilbake',
    'tilbage',
  ],
  ...['peruuta', 'ei', 'sulje', 'takaisin'],
  ...['annuler', 'non', 'non merci', 'fermer', 'retour', 'plus tard', 'pas maintenant', 'refuser'],
  ...['cancelar', 'no gracias', 'cerrar', 'volver', 'ahora no', 'más tarde', 'rechazar'],
  ...['não', 'não obrigado', 'fechar', 'voltar', 'agora não', 'recusar'],
  ...['annulla', 'no grazie', 'chiudi', 'indietro', 'non ora', 'più tardi', 'rifiuta'],
  ...['anulează', 'nu', 'închide', 'înapoi', 'anuluj', 'nie', 'zamknij', 'wstecz', 'nie teraz', 'odrzuć'],
  ...['zrušit', 'ne', 'zavřít', 'zpět', 'zrušiť', 'zavrieť', 'mégse', 'nem', 'bezárás', 'vissza'],
  ...['отмена', 'отменить', 'нет', 'закрыть', 'назад', 'не сейчас', 'скасувати', 'ні', 'закрити'],
  ...['ακύρωση', 'όχι', 'κλείσιμο', 'πίσω', 'iptal', 'vazgeç', 'hayır', 'kapat', 'geri'],
  ...['إلغاء', 'لا', 'إغلاق', 'رجوع', 'ביטול', 'לא', 'סגור', 'סגירה', 'रद्द करें', 'नहीं', 'बंद करें'],
  ...['batal', 'tidak', 'tutup', 'hủy', 'không', 'đóng', '취소', '아니요', '닫기', '뒤로'],
  ...[
    'キャンセル',
    'いいえ',
    '閉じる',
    '戻る',
    '取消',
    '否',
    '关闭',
    '關閉',
    '返回',
    '以后再说',
    'ยกเลิก',
    'ไม่',
    'ปิด',
  ],
];

/** Names of buttons that confirm a dialog without naming its action. */
const AFFIRMATIONS: readonly string[] = [
  ...[
    'yes',
    'yes …',
    'ok',
    'okay',
    'continue',
    'go',
    'go on',
    'go ahead',
    'next',
    'proceed',
    'confirm',
    'done',
  ],
  ...['accept', 'agree', 'i agree', 'sure', 'do it', 'finish', 'apply', 'complete', 'got it', 'i understand'],
  ...['ja', 'weiter', 'fortfahren', 'bestätigen', 'fertig', 'los', 'einverstanden', 'doorgaan', 'bevestigen'],
  ...[
    'verder',
    'akkoord',
    'fortsätt',
    'bekräfta',
    'fortsett',
    'bekreft',
    'fortsæt',
    'bekræft',
    'kyllä',
    'jatka',
  ],
  ...['oui', 'continuer', 'confirmer', 'valider', 'suivant', 'sí', 'continuar', 'confirmar', 'aceptar'],
  ...['siguiente', 'sim', 'aceitar', 'avançar', 'sì', 'continua', 'conferma', 'avanti', 'da', 'continuă'],
  ...['tak', 'dalej', 'kontynuuj', 'potwierdź', 'ano', 'pokračovat', 'potvrdit', 'igen', 'tovább'],
  ...['да', 'продолжить', 'подтвердить', 'далее', 'так', 'продовжити', 'ναι', 'συνέχεια', 'evet', 'tamam'],
  ...['devam', 'onayla', 'نعم', 'متابعة', 'تأكيد', 'موافق', 'כן', 'המשך', 'אישור', 'हाँ', 'जारी रखें', 'ya'],
  ...[
    'lanjutkan',
    'có',
    'tiếp tục',
    '확인',
    '예',
    '계속',
    'はい',
    '続ける',
    '続行',
    '确定',
    '確定',
    '是',
    '继续',
    '繼續',
  ],
  ...['ตกลง', 'ใช่', 'ดำเนินการต่อ'],
];

const whole = (phrases: readonly string[]): string[] =>
  [...new Set(phrases)].map((phrase) => (phrase.endsWith(' …') ? `^${phrase.slice(0, -2)}` : `^${phrase}$`));

const saysDismissal = createCommitMatcher(whole(DISMISSALS), []);
const saysAffirmation = createCommitMatcher(whole(AFFIRMATIONS), []);

/** Characters drawn as a cross. */
const CROSS = /^[\s×✕✖✗✘⨯❌⨉╳]+$/u;

/**
 * Whether a button with these texts leaves a dialog: all must match, because the visible and the accessible
 * name may differ.
 */
export const isDismissal = (texts: readonly string[]): boolean =>
  texts.length > 0 && texts.every((text) => CROSS.test(text) || saysDismissal(text));

/** Whether a button with these texts confirms, or has no words at all. */
export const isAffirmation = (texts: readonly string[]): boolean =>
  !texts.some((text) => /[\p{L}\p{N}]/u.test(text)) || texts.some(saysAffirmation);
