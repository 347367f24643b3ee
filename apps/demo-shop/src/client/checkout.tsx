import { type FormEvent, useState } from 'react';
import {
  DELIVERY_SPEEDS,
  type Delivery,
  type DeliveryProblems,
  deliveryProblems,
  parseDelivery,
} from '../delivery.ts';
import { formatEuro } from '../money.ts';
import { BY_INVOICE } from '../pay/by-invoice.ts';
import { forgetCart } from './parts/cart-store.ts';
import { DeliveryForm } from './parts/delivery-form.tsx';
import { Modal } from './parts/modal.tsx';
import { mount } from './parts/mount.ts';
import { OrderSummary } from './parts/order-summary.tsx';
import { pageElement } from './parts/page-element.ts';
import { PaymentFrame } from './parts/payment-frame.tsx';
import { postForm } from './parts/shop-request.ts';
import { showToast } from './parts/toast.ts';
import { useCart } from './parts/use-cart.ts';

type Setting = { payUrl: string; email: string };

/** The amount is fixed when payment starts: the cart empties while the modal is still open. */
type Paying = { delivery: Delivery; amountCents: number };

function Checkout({ payUrl, email }: Setting) {
  const cart = useCart();
  const [speed, setSpeed] = useState<Delivery['speed']>('standard');
  const [problems, setProblems] = useState<DeliveryProblems>({});
  const [paying, setPaying] = useState<Paying>();

  if (!cart) return <p className="note">Loading…</p>;
  if (cart.count === 0 && !paying) return <NothingToBuy />;

  const continueToPayment = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const delivery = parseDelivery((field) => String(form.get(field) ?? ''));
    const found = deliveryProblems(delivery);
    setProblems(found);
    const [first] = Object.keys(found);
    const amountCents = cart.totalCents + DELIVERY_SPEEDS[speed].priceCents;
    if (first === undefined) setPaying({ delivery, amountCents });
    else document.getElementById(first)?.focus();
  };
  return (
    <div className="checkout">
      <DeliveryForm
        email={email}
        problems={problems}
        speed={speed}
        onSpeed={setSpeed}
        onSubmit={continueToPayment}
      />
      <OrderSummary cart={cart} speed={speed} />
      {paying && (
        <Modal name={`Pay ${formatEuro(paying.amountCents)}`} onClose={() => setPaying(undefined)}>
          <PaymentFrame
            payUrl={payUrl}
            amountCents={paying.amountCents}
            onPaid={(payment) => void placeOrder(paying.delivery, payment)}
          />
          <button
            type="button"
            data-testid="buy-on-invoice"
            onClick={() => void placeOrder(paying.delivery, BY_INVOICE)}
          >
            Buy on invoice
          </button>
        </Modal>
      )}
    </div>
  );
}

async function placeOrder(delivery: Delivery, payment: string): Promise<void> {
  const outcome = await postForm<{ number: string }>(
    '/orders',
    new URLSearchParams({ ...delivery, payment }),
  );
  if (!outcome.ok) {
    showToast('The order was not placed. Your card is not charged.', undefined, 'failed');
    return;
  }
  forgetCart();
  location.assign(`/orders/${outcome.answer.number}`);
}

function NothingToBuy() {
  return (
    <div className="stack">
      <p>Your cart is empty, so there is nothing to pay.</p>
      <a className="button primary" href="/search">
        Find something
      </a>
    </div>
  );
}

const { payUrl = '', email = '' } = pageElement('#checkout', HTMLElement).dataset;
mount('#checkout', <Checkout payUrl={payUrl} email={email} />);
