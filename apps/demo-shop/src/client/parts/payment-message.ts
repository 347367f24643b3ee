/** Message from the card form's frame to the page around it. */
export type PaymentMessage = { type: 'harbour-pay:paid'; payment: string; cardEnding: string };

/** Undefined for messages of other origins and kinds. */
export function readPaymentMessage(event: MessageEvent<unknown>, payUrl: string): PaymentMessage | undefined {
  const { data, origin } = event;
  if (origin !== payUrl || typeof data !== 'object' || data === null) return undefined;
  const { type, payment, cardEnding } = Object.assign({ type: '', payment: '', cardEnding: '' }, data);
  return type === 'harbour-pay:paid' ? { type, payment, cardEnding } : undefined;
}
