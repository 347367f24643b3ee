import type { Corner, Page } from './page.ts';
import { accountPage } from './pages/account-page.ts';
import { addressCorner } from './pages/address-corner.ts';
import { canvasCorner } from './pages/canvas-corner.ts';
import { cartPage } from './pages/cart-page.ts';
import { checkoutPage } from './pages/checkout-page.ts';
import { cornersPage } from './pages/corners-page.ts';
import { dialogsCorner } from './pages/dialogs-corner.ts';
import { framesCorner } from './pages/frames-corner.ts';
import { hostileCorner } from './pages/hostile-corner.ts';
import { listenersCorner } from './pages/listeners-corner.ts';
import { loginPage } from './pages/login-page.ts';
import { orderPage } from './pages/order-page.ts';
import { productPage } from './pages/product-page.ts';
import { rowsCorner } from './pages/rows-corner.ts';
import { searchPage } from './pages/search-page.ts';
import { shadowCorner } from './pages/shadow-corner.ts';
import { slowCorner } from './pages/slow-corner.ts';
import { startPage } from './pages/start-page.ts';
import { strictCorner } from './pages/strict-corner.ts';
import { toastsCorner } from './pages/toasts-corner.ts';
import { uploadCorner } from './pages/upload-corner.ts';

export const corners: readonly Corner[] = [
  addressCorner,
  toastsCorner,
  rowsCorner,
  framesCorner,
  shadowCorner,
  uploadCorner,
  dialogsCorner,
  canvasCorner,
  slowCorner,
  listenersCorner,
  strictCorner,
  hostileCorner,
];

export const pagesWith = (more: readonly Corner[]): readonly Page[] => [
  startPage,
  productPage,
  searchPage,
  cartPage,
  checkoutPage,
  orderPage,
  loginPage,
  accountPage,
  cornersPage([...corners, ...more]),
  ...corners,
  ...more,
];
