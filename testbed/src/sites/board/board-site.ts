import { type Html, html } from '@drawbridge/demo-shop/html';
import type { Route } from '@drawbridge/demo-shop/http-site';
import { fieldReader, htmlReply, seeOther } from '@drawbridge/demo-shop/replies';
import { type SiteFrame, siteAssets, siteFrame } from '../site-frame.ts';
import { createVisitorStates } from '../visitor-states.ts';
import { addCard, type Board, createBoard, deleteCard, isLane, moveCard } from './board.ts';
import { boardBody, deleteBody } from './board-page.ts';

const MARK = 'M3 4h5v16H3zM10 4h5v10h-5zM17 4h4v7h-4z';

const FRAME: SiteFrame = {
  name: 'Laneboard',
  mark: MARK,
  foot: 'A demo board. Every visitor has their own.',
  nav: html`<nav class="you" aria-label="Boards"><a href="/" aria-current="page">Riverside Garden</a></nav>`,
};

export function boardSite(): { routes: Route[]; reset(): void } {
  const visitors = createVisitorStates<Board>('board', createBoard);
  const page = (title: string, body: Html, status = 200) => htmlReply(siteFrame(FRAME, title, body), status);
  const missing = () =>
    page('Not found', html`<h1>There is no such page</h1><p><a href="/">To the board</a></p>`, 404);
  const action = (path: string, act: (board: Board, read: (name: string) => string) => Response): Route => ({
    method: 'POST',
    path,
    async answer(call) {
      const read = fieldReader(await call.request.formData());
      return visitors.answer(call, (board) => act(board, read));
    },
  });
  return {
    routes: [
      ...siteAssets(MARK),
      {
        method: 'GET',
        path: '/',
        answer: (call) => visitors.answer(call, (board) => page('Riverside Garden', boardBody(board))),
      },
      {
        method: 'GET',
        path: '/cards/:id/delete',
        answer: (call) =>
          visitors.answer(call, ({ cards }) => {
            const card = cards.find(({ id }) => id === call.params['id']);
            return card ? page('Delete a card', deleteBody(card)) : missing();
          }),
      },
      action('/cards', (board, read) => {
        const problem = addCard(board, 'To do', read('title'));
        return problem === undefined ? seeOther('/') : page('Error', boardBody(board, problem), 422);
      }),
      action('/cards/move', (board, read) => {
        const lane = read('lane');
        if (isLane(lane)) moveCard(board, read('card'), lane);
        return seeOther('/');
      }),
      action('/cards/delete', (board, read) => {
        deleteCard(board, read('card'));
        return seeOther('/');
      }),
      { method: 'GET', path: '*', answer: missing },
    ],
    reset: visitors.clear,
  };
}
