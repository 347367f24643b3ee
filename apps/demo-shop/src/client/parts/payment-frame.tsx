import { useEffect, useEffectEvent } from 'react';
import { readPaymentMessage } from './payment-message.ts';

type PaymentFrameProps = { payUrl: string; amountCents: number; onPaid: (payment: string) => void };

export function PaymentFrame({ payUrl, amountCents, onPaid }: PaymentFrameProps) {
  const receive = useEffectEvent((event: MessageEvent<unknown>) => {
    const message = readPaymentMessage(event, payUrl);
    if (message) onPaid(message.payment);
  });
  useEffect(() => {
    window.addEventListener('message', receive);
    return () => window.removeEventListener('message', receive);
  }, []);
  return (
    <iframe
      className="pay"
      title="Card payment by Harbour Pay"
      src={`${payUrl}/card?amount=${amountCents}`}
    />
  );
}
