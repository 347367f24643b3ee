/** In place of a payment: the customer pays later, so an order needs no card. */
export const BY_INVOICE = 'invoice';
