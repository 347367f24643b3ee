import type { PrimitiveName } from '@drawbridge/protocol/primitives';
import { BROWSER_HANDLERS } from './browser-handlers.ts';
import { ELEMENT_HANDLERS } from './element-handlers.ts';
import { FILE_HANDLERS } from './file-handlers.ts';
import type { Handler } from './handler.ts';
import { CLIPBOARD_HANDLERS, KEYBOARD_HANDLERS, POINTER_HANDLERS, TEXT_HANDLERS } from './input-handlers.ts';
import { INSPECT_HANDLERS } from './inspect-handlers.ts';
import {
  A11Y_HANDLERS,
  DOM_HANDLERS,
  LOCATOR_HANDLERS,
  PAGE_HANDLERS,
  VIEW_HANDLERS,
} from './page-handlers.ts';
import { STORE_HANDLERS } from './store-handlers.ts';

/** One for each primitive of the dictionary, checked by the compiler. */
export const HANDLERS: { readonly [Name in PrimitiveName]: Handler<Name> } = {
  ...PAGE_HANDLERS,
  ...ELEMENT_HANDLERS,
  ...LOCATOR_HANDLERS,
  ...A11Y_HANDLERS,
  ...DOM_HANDLERS,
  ...POINTER_HANDLERS,
  ...KEYBOARD_HANDLERS,
  ...TEXT_HANDLERS,
  ...VIEW_HANDLERS,
  ...CLIPBOARD_HANDLERS,
  ...BROWSER_HANDLERS,
  ...FILE_HANDLERS,
  ...STORE_HANDLERS,
  ...INSPECT_HANDLERS,
};
