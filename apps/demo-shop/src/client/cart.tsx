import { type CartLine, MOST_OF_ONE_PRODUCT } from '../cart.ts';
import { formatEuro } from '../money.ts';
import { changeCart } from './parts/cart-store.ts';
import { mount } from './parts/mount.ts';
import { ProductPicture } from './parts/product-picture.tsx';
import { useCart } from './parts/use-cart.ts';

function CartPart() {
  const cart = useCart();
  if (!cart) return <p className="note">Loading…</p>;
  if (cart.count === 0) return <EmptyCart />;
  return (
    <>
      <ul className="lines">
        {cart.lines.map((line) => (
          <CartRow key={line.product.id} line={line} />
        ))}
      </ul>
      <div className="row total">
        <p>
          Total <strong data-testid="cart-total">{formatEuro(cart.totalCents)}</strong>
          <span className="note"> plus delivery</span>
        </p>
        <a className="button primary" href="/checkout">
          Checkout
        </a>
      </div>
    </>
  );
}

function EmptyCart() {
  return (
    <div className="stack">
      <p>Your cart is empty.</p>
      <a className="button primary" href="/search">
        Find something
      </a>
    </div>
  );
}

function CartRow({ line: { product, quantity, sumCents } }: { line: CartLine }) {
  const set = (next: number) => void changeCart('set', product.id, next);
  return (
    <li className="line">
      <span className="tile small">
        <ProductPicture product={product} />
      </span>
      <div>
        <a href={`/products/${product.id}`}>{product.name}</a>
        <p className="note">{formatEuro(product.priceCents)} each</p>
      </div>
      <fieldset className="stepper">
        <legend className="unseen">How many {product.name}</legend>
        <button type="button" aria-label={`One ${product.name} less`} onClick={() => set(quantity - 1)}>
          −
        </button>
        <output>{quantity}</output>
        <button
          type="button"
          aria-label={`One ${product.name} more`}
          disabled={quantity >= MOST_OF_ONE_PRODUCT}
          onClick={() => set(quantity + 1)}
        >
          +
        </button>
      </fieldset>
      <span className="price">{formatEuro(sumCents)}</span>
      <button type="button" className="plain" onClick={() => set(0)}>
        Remove<span className="unseen"> {product.name}</span>
      </button>
    </li>
  );
}

mount('#cart', <CartPart />);
