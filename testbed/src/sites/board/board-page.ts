import { type Html, html } from '@drawbridge/demo-shop/html';
import { type Board, type Card, LANES, type Lane } from './board.ts';

export function boardBody(board: Board, problem?: string): Html {
  return html`<h1>Riverside Garden</h1>
    <form class="add panel" method="post" action="/cards" novalidate>
      <div class="field wide"><label for="title">New card</label>
        <input id="title" name="title" autocomplete="off" placeholder="Water the greenhouse"${problem !== undefined && html` aria-invalid="true" aria-describedby="title-problem"`}>
        ${problem !== undefined && html`<p class="problem" id="title-problem" role="alert">${problem}</p>`}</div>
      <button class="primary" type="submit" data-testid="add-card">Add to To do</button>
    </form>
    <div class="lanes">${LANES.map((lane) => laneColumn(lane, board))}</div>`;
}

function laneColumn(lane: Lane, { cards }: Board): Html {
  const here = cards.filter((card) => card.lane === lane);
  const id = laneId(lane);
  return html`<section class="lane" data-lane="${id}" aria-labelledby="lane-${id}">
      <h2 id="lane-${id}">${lane} <span class="count">${here.length}</span></h2>
      <ul class="cards">${here.map(cardItem)}</ul>
    </section>`;
}

const laneId = (lane: Lane): string => lane.toLowerCase().replaceAll(' ', '-');

function cardItem(card: Card): Html {
  return html`<li class="card" data-card="${card.id}">
      <p class="title">${card.title}</p>
      <p class="tag">${card.tag}</p>
      <form class="row" method="post" action="/cards/move"><input type="hidden" name="card" value="${card.id}">
        ${LANES.filter((lane) => lane !== card.lane).map((lane) => moveButton(card, lane))}</form>
      <p><a class="danger-link" href="/cards/${card.id}/delete">Delete<span class="unseen"> ${card.title}</span></a></p>
    </li>`;
}

function moveButton(card: Card, lane: Lane): Html {
  return html`<button type="submit" name="lane" value="${lane}" data-to="${laneId(lane)}" aria-label="Move ${card.title} to ${lane}">→ ${lane}</button>`;
}

/** Deleting asks first: it cannot be undone. */
export function deleteBody(card: Card): Html {
  return html`<section class="panel stack confirm" role="alertdialog" aria-labelledby="ask">
      <h1 id="ask">Delete “${card.title}”?</h1>
      <p>It is gone for everyone who sees this board.</p>
      <form class="row" method="post" action="/cards/delete"><input type="hidden" name="card" value="${card.id}">
        <a class="button" href="/">Keep it</a>
        <button class="danger" type="submit" data-testid="confirm-delete">Delete card</button></form>
    </section>`;
}
