import type { CartView } from '../../cart.ts';
import { DELIVERY_SPEEDS, type DeliverySpeed } from '../../delivery.ts';
import { formatEuro } from '../../money.ts';

export function OrderSummary({ cart, speed }: { cart: CartView; speed: DeliverySpeed }) {
  const deliveryCents = DELIVERY_SPEEDS[speed].priceCents;
  return (
    <aside className="panel" aria-labelledby="summary-name">
      <h2 id="summary-name">Your order</h2>
      <ul className="summary">
        {cart.lines.map(({ product, quantity, sumCents }) => (
          <li key={product.id}>
            <span>
              {quantity} × {product.name}
            </span>
            <span className="price">{formatEuro(sumCents)}</span>
          </li>
        ))}
        <li>
          <span>Delivery</span>
          <span className="price">{formatEuro(deliveryCents)}</span>
        </li>
        <li className="sum">
          <span>To pay</span>
          <span className="price" data-testid="to-pay">
            {formatEuro(cart.totalCents + deliveryCents)}
          </span>
        </li>
      </ul>
      <p>
        <a href="/cart">Change the cart</a>
      </p>
    </aside>
  );
}
