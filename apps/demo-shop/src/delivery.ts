export const COUNTRIES = [
  'Austria',
  'France',
  'Germany',
  'Ireland',
  'Italy',
  'Netherlands',
  'Spain',
] as const;

export const DELIVERY_SPEEDS = {
  standard: { label: 'Standard, 3 to 5 days', priceCents: 490 },
  express: { label: 'Express, next working day', priceCents: 1290 },
} as const;

export type DeliverySpeed = keyof typeof DELIVERY_SPEEDS;

export type Delivery = {
  email: string;
  name: string;
  street: string;
  postcode: string;
  city: string;
  country: string;
  speed: DeliverySpeed;
};

export type DeliveryField = keyof Delivery;
export type DeliveryProblems = Partial<Record<DeliveryField, string>>;

export function parseDelivery(read: (field: DeliveryField) => string): Delivery {
  return {
    email: read('email').trim(),
    name: read('name').trim(),
    street: read('street').trim(),
    postcode: read('postcode').trim(),
    city: read('city').trim(),
    country: read('country'),
    speed: read('speed') === 'express' ? 'express' : 'standard',
  };
}

export function deliveryProblems(delivery: Delivery): DeliveryProblems {
  const problems: DeliveryProblems = {};
  if (!looksLikeEmail(delivery.email)) problems.email = 'Enter an email address, like name@example.com.';
  if (delivery.name === '') problems.name = 'Enter the name on the doorbell.';
  if (delivery.street === '') problems.street = 'Enter a street and a number.';
  if (!/^[A-Z0-9][A-Z0-9 -]{2,9}$/i.test(delivery.postcode))
    problems.postcode = 'Enter a postcode, like 10115.';
  if (delivery.city === '') problems.city = 'Enter a town or city.';
  if (!COUNTRIES.some((country) => country === delivery.country)) problems.country = 'Choose a country.';
  return problems;
}

export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}
