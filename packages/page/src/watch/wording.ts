export type Tone = 'error' | 'success';

/**
 * Stems of failure and success in messages: English, German, French, Spanish, Italian, Portuguese, Dutch,
 * Polish, Russian. Each entry is a regular expression for the beginning of a word; `_` is a space, `!` the
 * end of the word. A stem is listed once for all its languages: `erro` also covers `error` and `errore`.
 */
const ERROR_WORDS = `err(o|eur) fail inv[aá]lid incorrec?t wrong! denied declined reject refus(ed|é) forbidden unable
can('t|_?not)! (could|did)(n't|_not)! missing! expir(ed!|é|ad) exceed unavailable
not_(found|allowed|valid|available|match) (is|are)_required! must! try_again
timed_out too_(long|short|large|many)! already_(exists|taken|in_use|reg) out_of_stock a_problem!
please_(enter|fill|select|choose|provide|check)!
fehl(er|geschl|t!) ungültig falsch erforderlich abgelehnt abgelaufen leider! k[aoö]nn(te|en)?n?_nicht!
nicht_(möglich|gefunden|erlaubt|verfügbar)! bereits_v bitte_(geben|wählen|füllen|prüfen)! zu_(lang|kurz)!
éch(ec|ou) impossib introuvable requis manquant obligatori réessay n'(a|est)_pas ne_peut veuillez_[^p] déjà_utilisé trop_(long|court)!
fall[oó]! denegad rechazad requerid faltan?! intént no_(se_(pudo|ha|encontr)|es_|disponible) ya_existe
fallit sbagliat obbligatori rifiutat scadut riprova mancante! non_(valid|è!|trovat|disponibil|riuscit)
falh(a|ou)! obrigatóri não_(foi|é!|encontrad|disponível) tente_novamente já_existe
fout(en)?! mislukt! ongeldig onjuist verplicht verlopen! ontbreekt! k[ao]n_niet! niet_(gevonden|mogelijk|beschikbaar)! vereist
bł[ąę]d niep(raw|opr|ow) wymagan wygasł nie_(udało|można|znal|powiodł) spróbuj już_istnieje
ошибк невер не_уда`;

/** Japanese, Chinese and Korean have no spaces: matched anywhere. */
const ERROR_CHARACTERS = `エラー 失[敗败] [無无][効效法] (くあり|でき|かり)ません 必[須填] [力択]してください 拒[否绝絕] 不正 間違
[错錯][误誤] 不能 [请請][输輸选選] [过過]期 重[试試] 找不?到 已存在 오류 실패`;

const SUCCESS_WORDS = `succes(s|!|vol) sent! paid! done! completed?! thank(s|_you)! welcome! all_set! congrat (signed|logged)_in! in_your_(cart|basket)!
(sav|add|creat|updat|delet|remov|copi|submitt|confirm|(up|down)?load|publish|appli|accept|approv|subscrib|register|plac|book|reserv|mov|chang|receiv|restor)ed!
erfolg(!|reich) (gespeicher|gelösch|gesende|hinzugefüg|erstell|aktualisier|entfern|kopier|bestätig|geänder|bezahl|gebuch)t!
abgeschlossen! fertig! dank willkommen! (hoch|herunter)geladen! angemeldet! im_warenkorb!
succès réussi (enregistr|envoy|ajout|cré|supprim|copi|termin|confirm|télécharg|publi|modifi|valid|pay)é merci! à_jour!
(guard|[ei]nvi|agreg|cr[ei]|actualiz|atualiz|aggiorn|elimin|copi|complet|conf[ei]rm|pubb?lic|pag|reserv|prenot|adicion|carreg|caric|alter|modific|salv)a(d|t[oai]!)
éxito correctamente! bienven (añad|remov)id conclu[ií]d hecho! listo! gracias! sucesso! salv[oa]s?! obrigad
riuscit aggiunt rimoss fatto! grazie! benvenut
gelukt! opgeslagen! verzonden! (toegevoeg|verwijder|voltooi|bevestig|gewijzig|betaal)d! bijgewerkt! klaar! bedankt! welkom!
sukces! pomyślnie! (zapisa|wysła|doda|utworzo|zaktualizowa|zakończo|potwierdzo|zmienio)n usunięto! gotowe! dziękuj udało_się
успеш (сохран|добавл|отправл)[её]н`;

const SUCCESS_CHARACTERS = `成功 (保存|送信|追加|作成|更新|削除|登録|変更)(しました|され) 完[了成] ありがとう
已(保存|[发發]|添加|加入|[创創]|更新|[删刪]|[复複]|提交) [谢謝][谢謝] [欢歡]迎 성공 완료`;

/** Negated failures, and a state that is none. */
const HARMLESS =
  / not saved(?: yet)? $| (?:no|0|without|zero|keine?|ohne|sans|aucune?|sin|senza|sem|geen|zonder|bez) (?:err(?:o|eur)|problem|issue|fehler|fouten|błęd)[^ ]*/g;
const anyOf = (entries: string) =>
  entries.split(/\s+/).join('|').replaceAll('!', '(?= )').replaceAll('_', ' ');

const GOOD = anyOf(SUCCESS_WORDS);
/** Negations that turn a following success into a failure: "could not be saved". */
const NOT = "(?:not|[a-z]+n't|nicht|niet|pas|non|não|nie|не|no (?:se|ha|fue))(?: [^ ]+){0,2}";
const ERROR = new RegExp(` (?:${anyOf(ERROR_WORDS)}|${NOT} (?:${GOOD}))|${anyOf(ERROR_CHARACTERS)}`);
const SUCCESS = new RegExp(` (?:${GOOD})|${anyOf(SUCCESS_CHARACTERS)}`);

/** The tone of a message by its words. Failure outweighs success. */
export function toneOf(text: string): Tone | undefined {
  const words = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}']+/gu, ' ');
  const plain = ` ${words} `.replace(HARMLESS, '');
  if (ERROR.test(plain)) return 'error';
  return SUCCESS.test(plain) ? 'success' : undefined;
}
