import type { SHORT_ROLES as CONTRACT_ROLES } from '../interact/semantic-tree.ts';

/**
 * The contract's short roles without the schemas around them: a page's bundle carries no schema library.
 * The type holds the two together, entry by entry.
 */
export const SHORT_ROLES: typeof CONTRACT_ROLES = {
  button: 'btn',
  link: 'link',
  textbox: 'inp',
  searchbox: 'inp',
  spinbutton: 'inp',
  checkbox: 'chk',
  radio: 'radio',
  combobox: 'sel',
  listbox: 'sel',
  menu: 'menu',
  tab: 'tab',
  menuitem: 'item',
  listitem: 'item',
  option: 'opt',
  tree: 'tree',
  switch: 'switch',
  slider: 'slider',
  heading: 'h',
};
