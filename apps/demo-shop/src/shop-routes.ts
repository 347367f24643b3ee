import { viewCart } from './cart.ts';
import { isSortOrder, searchProducts } from './catalogue.ts';
import type { Call, Route } from './http-site.ts';
import type { Corner, PageContent } from './page.ts';
import { pageFrame } from './page-frame.ts';
import { newsletterFrame } from './pages/frames-corner.ts';
import { missingContent } from './pages/missing-page.ts';
import { lateStock } from './pages/slow-corner.ts';
import type { PaymentService } from './pay/payment-service.ts';
import { htmlReply, jsonReply } from './replies.ts';
import { shopActions } from './shop-actions.ts';
import { pagesWith } from './site-map.ts';
import { stockBlock } from './stock-rows.ts';
import type { Visit, VisitBook } from './visits.ts';

export type ShopState = {
  visits: VisitBook;
  payments: PaymentService;
  payUrl: string;
  assets: string;
  moreCorners: readonly Corner[];
};

export function shopRoutes(world: ShopState): Route[] {
  return [...dataRoutes(world), ...pageRoutes(world), ...actionRoutes(world), missingRoute(world)];
}

function pageRoutes(world: ShopState): Route[] {
  return pagesWith(world.moreCorners).map((page) => ({
    method: 'GET',
    path: page.path,
    answer: (call) =>
      withVisit(world, call, async (visit) => {
        const { url, params } = call;
        const content = await page.content({ url, params, visit, payUrl: world.payUrl });
        return pageReply(content ?? missingContent, visit, url, world);
      }),
  }));
}

function actionRoutes(world: ShopState): Route[] {
  return shopActions.map((action) => ({
    method: 'POST',
    path: action.path,
    answer: (call) =>
      withVisit(world, call, async (visit) => {
        const form = await call.request.formData();
        const outcome = await action.act({ request: call.request, form, visit, payments: world.payments });
        return outcome instanceof Response ? outcome : pageReply(outcome, visit, call.url, world);
      }),
  }));
}

function dataRoutes(world: ShopState): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/cart',
      answer: (call) => withVisit(world, call, (visit) => jsonReply(viewCart(visit.cart))),
    },
    { method: 'GET', path: '/api/search', answer: ({ url }) => jsonReply(search(url.searchParams)) },
    {
      method: 'GET',
      path: '/api/rows',
      answer: ({ url }) => jsonReply(stockBlock(Number(url.searchParams.get('from')))),
    },
    { method: 'GET', path: '/api/late', answer: async ({ url }) => jsonReply(await lateStock(url)) },
    { method: 'GET', path: '/frames/newsletter', answer: () => htmlReply(newsletterFrame(world.assets)) },
  ];
}

function missingRoute(world: ShopState): Route {
  return {
    method: 'GET',
    path: '*',
    answer: (call) => withVisit(world, call, (visit) => pageReply(missingContent, visit, call.url, world)),
  };
}

function search(asked: URLSearchParams) {
  const sort = asked.get('sort') ?? '';
  return searchProducts(
    asked.get('q') ?? '',
    asked.get('category') ?? '',
    isSortOrder(sort) ? sort : 'shelf',
  );
}

function pageReply(content: PageContent, visit: Visit, url: URL, world: ShopState): Response {
  return htmlReply(pageFrame(content, visit, url, world.assets), content.status, content.headers);
}

async function withVisit(
  { visits }: ShopState,
  call: Call,
  answer: (visit: Visit) => Response | Promise<Response>,
): Promise<Response> {
  // Cookies ignore the port: without it in the name, two shops in one browser would share visits.
  const name = `shop_visit_${call.url.port}`;
  const known = visits.find(readCookie(call.request, name));
  if (known) return answer(known);
  const { key, visit } = visits.open();
  const response = await answer(visit);
  response.headers.append('set-cookie', `${name}=${key}; Path=/; HttpOnly; SameSite=Lax`);
  return response;
}

function readCookie(request: Request, name: string): string | undefined {
  const cookies = request.headers.get('cookie')?.split('; ') ?? [];
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}
