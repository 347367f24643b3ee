/** One action on one element, named by role and label as a person would. */
export interface ShopAction {
  readonly kind: 'fill' | 'select' | 'check' | 'click';
  readonly role: Role;
  readonly name: string;
  readonly value?: string;
}

export type Role = 'searchbox' | 'textbox' | 'spinbutton' | 'combobox' | 'radio' | 'button' | 'link';

/** Actions that need no answer in between. */
export interface ShopStep {
  readonly about: string;
  readonly actions: readonly ShopAction[];
  /** The last action navigates. */
  readonly leaves: boolean;
}

const fill = (role: Role, name: string, value: string): ShopAction => ({ kind: 'fill', role, name, value });
const click = (role: Role, name: string): ShopAction => ({ kind: 'click', role, name });

export const DELIVERY = {
  email: 'customer@example.com',
  name: 'Test Customer',
  street: 'Quiet Lane 4',
  postcode: '10115',
  city: 'Berlin',
  country: 'Germany',
  speed: 'express',
} as const;

/** From the start page to the card form. Looking at the start page is the first of ten steps. */
export const SHOP_STEPS: readonly ShopStep[] = [
  {
    about: 'search a lamp',
    actions: [fill('searchbox', 'Search the shop', 'lamp'), click('button', 'Search')],
    leaves: true,
  },
  { about: 'open it', actions: [click('link', 'Dusk table lamp')], leaves: true },
  { about: 'set the quantity', actions: [fill('spinbutton', 'Quantity', '2')], leaves: false },
  { about: 'add it to the cart', actions: [click('button', 'Add to cart')], leaves: false },
  { about: 'open the cart', actions: [click('link', 'Cart')], leaves: true },
  { about: 'go to the checkout', actions: [click('link', 'Checkout')], leaves: true },
  {
    about: 'fill the delivery form',
    actions: [
      fill('textbox', 'Email', DELIVERY.email),
      fill('textbox', 'Full name', DELIVERY.name),
      fill('textbox', 'Street and number', DELIVERY.street),
      fill('textbox', 'Postcode', DELIVERY.postcode),
      fill('textbox', 'Town or city', DELIVERY.city),
      { kind: 'select', role: 'combobox', name: 'Country', value: DELIVERY.country },
    ],
    leaves: false,
  },
  {
    about: 'choose express delivery',
    actions: [{ kind: 'check', role: 'radio', name: 'Express' }],
    leaves: false,
  },
  {
    about: 'go on to the payment',
    actions: [click('button', 'Continue to payment')],
    leaves: false,
  },
];
