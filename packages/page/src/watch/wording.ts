export type Tone = 'error' | 'success';

/**
 * How messages say that something failed or worked, by language. Words of alphabets are matched whole,
 * `*` standing for any ending; Japanese and Chinese anywhere. What sounds bad outweighs what sounds good:
 * "could not be saved" has "saved" in it.
 */
const ERROR_WORDS: readonly string[] = [
  // English
  `error* fail failed fails failure invalid incorrect wrong denied declined rejected refused forbidden unauthor*
  unable cannot can't can’t couldn't couldn’t mandatory missing expired exceed* unavailable mismatch blocked`,
  `could not|can not|did not|does not match|do not match|don't match|not found|not allowed|not valid|not available
  |not saved|not sent|not placed|not added|not enough|is required|are required|required field|must be|must have
  |must contain|must not|went wrong|try again|timed out|too long|too short|too large|too big|too many|already exists
  |already taken|already in use|already registered|out of stock|please enter|please fill|please select
  |please choose|please provide|please check|a problem|no longer`,
  // German
  `fehler* fehlgeschlagen ungültig* falsch* erforderlich* pflichtfeld* abgelehnt verweigert abgelaufen fehlt fehlen
  leider gesperrt überschritten unbekannt* ausverkauft`,
  `konnte nicht|konnten nicht|kann nicht|können nicht|nicht möglich|nicht gefunden|nicht gespeichert|nicht erlaubt
  |nicht verfügbar|nicht gültig|nicht gesendet|bitte geben|bitte wählen|bitte füllen|bitte prüfen|bitte überprüfen
  |erneut versuchen|noch einmal|zu lang|zu kurz|zu groß|zu viele|bereits vergeben|bereits vorhanden`,
  // French
  `erreur* échec échoué* invalide* incorrect* impossible introuvable* refusé* requis* obligatoire* expiré* manquant*
  interdit* indisponible* réessayez réessayer`,
  `non valide|n'a pas pu|n’a pas pu|ne peut pas|n'est pas|n’est pas|veuillez saisir|veuillez entrer|veuillez remplir
  |veuillez sélectionner|veuillez choisir|veuillez vérifier|veuillez renseigner|déjà utilisé|trop long|trop court`,
  // Spanish
  `fallo falló fallado inválid* incorrect* denegad* rechazad* obligatori* requerid* caducad* expirad* falta faltan
  prohibid* agotad* inténtelo inténtalo`,
  `no se pudo|no se ha podido|no es posible|no es válid*|no encontrad*|no se encontr*|no disponible|no permitid*
  |por favor introduzca|por favor ingrese|por favor seleccione|de nuevo|ya existe|ya está en uso|demasiado larg*`,
  // Italian
  `errore errori fallit* impossibile sbagliat* obbligatori* negat* rifiutat* scadut* mancante riprova riprovare esaurit*`,
  `non valid*|non è|non trovat*|non disponibil*|non consentit*|non riuscit*|campo richiesto|già in uso|troppo lung*`,
  // Portuguese
  `erro erros falha falhou inválid* incorret* negad* recusad* obrigatóri* expirad* ausente esgotad*`,
  `não foi possível|não encontrad*|não é|não disponível|não permitid*|tente novamente|já existe|já está em uso
  |por favor insira|por favor preencha|por favor selecione|muito long*`,
  // Dutch
  `fout fouten mislukt ongeldig* onjuist* verkeerd* verplicht* vereist* geweigerd verlopen ontbreekt uitverkocht`,
  `kon niet|kan niet|konden niet|niet gevonden|niet mogelijk|niet opgeslagen|niet toegestaan|niet beschikbaar
  |niet geldig|niet gelukt|probeer opnieuw|probeer het opnieuw|te lang|te kort|te groot|al in gebruik|vul een|kies een`,
  // Polish
  `błąd błęd* niepowodzenie nieprawidłow* niepoprawn* nieważn* wymagan* odrzucon* odmow* wygasł* brakuje niedostępn*
  zabronion* zajęt*`,
  `nie udało|nie można|nie znaleziono|nie zapisano|nie powiodł*|spróbuj ponownie|już istnieje|zbyt dług*|zbyt krótk*`,
];

const ERROR_CHARACTERS = `エラー 失敗 無効 正しくありません できません 見つかりません 必須 入力してください 選択してください 拒否 期限切れ 不正
  再試行 もう一度 間違 错误 錯誤 失败 无效 無效 不正确 不正確 无法 無法 不能 未找到 找不到 必填 请输入 請輸入 请选择 請選擇 拒绝 拒絕
  过期 過期 重试 重試 缺少 异常 異常 超出 已存在 오류 실패`;

const SUCCESS_WORDS: readonly string[] = [
  `success* saved sent added created updated deleted removed copied done complete completed submitted confirmed thanks
  welcome uploaded downloaded published applied accepted approved subscribed registered placed paid booked reserved
  moved changed enabled congratulations received restored archived joined`,
  `thank you|is in your cart|in your basket|all set|signed in|logged in|you're in`,
  `erfolg erfolgreich* gespeichert gesendet hinzugefügt erstellt aktualisiert gelöscht entfernt kopiert fertig
  abgeschlossen bestätigt danke willkommen hochgeladen heruntergeladen veröffentlicht übernommen angemeldet gebucht
  bezahlt reserviert geändert verschickt eingereicht verschoben`,
  `vielen dank|im warenkorb`,
  `succès réussi* enregistré* envoyé* ajouté* créé* supprimé* retiré* copié* terminé* confirmé* merci bienvenue
  téléchargé* publié* modifié* validé* payé* réservé*`,
  `mis à jour|mise à jour`,
  `éxito exitos* correctamente guardad* enviad* añadid* agregad* cread* actualizad* eliminad* borrad* copiad*
  completad* hecho listo confirmad* gracias bienvenid* subid* descargad* publicad* pagad* reservad*`,
  `successo riuscit* salvat* inviat* aggiunt* creat* aggiornat* eliminat* rimoss* copiat* completat* fatto confermat*
  grazie benvenut* caricat* scaricat* pubblicat* pagat* prenotat* modificat*`,
  `sucesso salvo salva salvos adicionad* criad* atualizad* excluíd* removid* concluíd* feito pronto obrigad*
  carregad* alterad*`,
  `gelukt succes succesvol* opgeslagen verzonden verstuurd toegevoegd aangemaakt bijgewerkt verwijderd gekopieerd
  voltooid klaar bevestigd bedankt welkom geüpload gedownload gepubliceerd gewijzigd betaald gereserveerd`,
  `sukces pomyślnie zapisano zapisan* wysłano wysłan* dodano dodan* utworzono zaktualizowano usunięto skopiowano
  zakończono gotowe potwierdzono dziękujemy dziękuję witamy przesłano opublikowano zmieniono zarezerwowan*`,
  `udało się`,
];

const SUCCESS_CHARACTERS = `成功 保存しました 保存され 送信しました 送信され 追加しました 追加され 作成しました 更新しました 更新され 削除しました
  コピーしました コピーされ 完了 ありがとう ようこそ 登録しました 変更しました 確認しました アップロードしました 公開しました 予約しました
  已保存 已发送 已發送 已添加 已加入 已创建 已更新 已删除 已刪除 已复制 已複製 完成 谢谢 謝謝 感谢 欢迎 歡迎 已上传 已上傳 已发布
  已修改 已提交 已支付 已预订 성공 완료 저장되었습니다`;

/** Says the opposite of what its words say. */
const HARMLESS =
  /(?<![\p{L}\p{N}])(?:no|0|without|zero|keine?|ohne|sans|aucune?|sin|senza|sem|geen|zonder|bez) (?:errors?|problems?|issues?|fehler|erreurs?|errores|errori|erros|fouten|błędów)/giu;

/** Words by themselves, beginnings of words, and phrases by their first word: looked up, as this runs on every message. */
interface Lexicon {
  readonly words: ReadonlySet<string>;
  readonly stems: ReadonlySet<string>;
  readonly phrases: ReadonlyMap<string, readonly string[]>;
  readonly characters: RegExp;
}

const ERROR = lexicon(ERROR_WORDS, ERROR_CHARACTERS);
const SUCCESS = lexicon(SUCCESS_WORDS, SUCCESS_CHARACTERS);
const SHORTEST_STEM = 4;

/** What a message says of how it went, if it says so in words. */
export function toneOf(text: string): Tone | undefined {
  const plain = text.toLowerCase().replace(HARMLESS, ' ');
  const words = plain.match(/[\p{L}\p{N}'’]+/gu) ?? [];
  if (speaks(words, plain, ERROR)) return 'error';
  return speaks(words, plain, SUCCESS) ? 'success' : undefined;
}

function speaks(
  words: readonly string[],
  text: string,
  { words: whole, stems, phrases, characters }: Lexicon,
): boolean {
  for (const [place, word] of words.entries()) {
    if (whole.has(word)) return true;
    for (let length = SHORTEST_STEM; length <= word.length; length++) {
      if (stems.has(word.slice(0, length))) return true;
    }
    const following = phrases.get(word);
    if (following === undefined) continue;
    const rest = words.slice(place, place + 6).join(' ');
    if (following.some((phrase) => isBeginning(phrase, rest))) return true;
  }
  return characters.test(text);
}

function isBeginning(phrase: string, text: string): boolean {
  if (phrase.endsWith('*')) return text.startsWith(phrase.slice(0, -1));
  return text.startsWith(phrase) && (text.length === phrase.length || text[phrase.length] === ' ');
}

/** A line with bars holds phrases, one without holds single words. */
function lexicon(lines: readonly string[], characters: string): Lexicon {
  const entries = lines
    .flatMap((line) => line.split(line.includes('|') ? '|' : /\s+/))
    .map((entry) => entry.trim().replace(/\s+/g, ' '))
    .filter((entry) => entry !== '');
  const singles = entries.filter((entry) => !entry.includes(' '));
  const phrases = new Map<string, string[]>();
  for (const entry of entries) {
    const [first = '', ...others] = entry.split(' ');
    if (others.length > 0) phrases.set(first, [...(phrases.get(first) ?? []), entry]);
  }
  return {
    words: new Set(singles.filter((word) => !word.endsWith('*'))),
    stems: new Set(singles.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1))),
    phrases,
    characters: new RegExp(characters.trim().split(/\s+/).join('|'), 'u'),
  };
}
