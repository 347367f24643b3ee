import { expect, test } from 'vitest';
import { toneOf } from './wording.ts';

test.each([
  ['en', 'Your card was declined.', 'The order was placed.'],
  ['de', 'Bitte geben Sie eine gültige Adresse ein.', 'Gespeichert. Die Lampe liegt im Warenkorb.'],
  ['fr', 'Une erreur est survenue.', 'Votre message a été envoyé.'],
  ['es', 'No se pudo guardar el archivo.', 'Guardado correctamente.'],
  ['it', 'Il codice inserito non è valido.', 'Prodotto aggiunto al carrello.'],
  ['pt', 'Não foi possível enviar a mensagem.', 'Alterações salvas com sucesso.'],
  ['nl', 'Het opslaan is mislukt.', 'De wijzigingen zijn opgeslagen.'],
  ['pl', 'Nie udało się zapisać pliku.', 'Zapisano zmiany.'],
  ['ja', '保存できませんでした。', '保存しました。'],
  ['ru', 'Не удалось сохранить файл.', 'Изменения сохранены.'],
  ['zh', '保存失败，请重试。', '保存成功。'],
  ['ko', '저장에 실패했습니다.', '저장이 완료되었습니다.'],
])('[INT-235] %s: errors and successes by their words', (_, error, success) => {
  expect([toneOf(error), toneOf(success)]).toEqual(['error', 'success']);
});

test.each([
  ['what failed outweighs what would have been', 'The list could not be saved.', 'error'],
  ['a success that was not is an error', 'Le message n’a pas été envoyé.', 'error'],
  ['a success that was not is one in Russian too', 'Файл не сохранён.', 'error'],
  ['a success beside something that is not is one', 'Saved. You will not be charged.', 'success'],
  ['a state is no error', 'Not saved', undefined],
  ['a verb that asks is no success', 'Create account', undefined],
  ['no error is none', 'No errors found', undefined],
  ['a word inside another is none', 'Terror films', undefined],
  ['a plain sentence is neither', 'Lamp, 39 €', undefined],
  ['capitals do not matter', 'SAVED', 'success'],
])('[INT-235] %s', (_, text, tone) => {
  expect(toneOf(text)).toBe(tone);
});
