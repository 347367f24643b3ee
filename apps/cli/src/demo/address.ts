/** Where the demo's orders go. */
export const ADDRESS = {
  email: 'demo@example.com',
  name: 'Demo Buyer',
  street: 'Harbour Street 1',
  postcode: '10115',
  city: 'Berlin',
  country: 'Germany',
};
