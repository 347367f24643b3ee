import type { Product } from '../../catalogue.ts';
import { formatEuro } from '../../money.ts';
import { changeCart } from './cart-store.ts';
import { FreshList } from './fresh-list.tsx';
import { ProductPicture } from './product-picture.tsx';
import { showToast } from './toast.ts';
import { useCart } from './use-cart.ts';

type SearchResultsProps = { products: Product[]; query: string; onShowAll: () => void };

export function SearchResults({ products, query, onShowAll }: SearchResultsProps) {
  const cart = useCart();
  const inCart = (product: Product) =>
    cart?.lines.find((line) => line.product.id === product.id)?.quantity ?? 0;
  return (
    <>
      <p className="note" role="status">
        {countText(products.length, query)}
      </p>
      {products.length === 0 && (
        <p>
          <button type="button" onClick={onShowAll}>
            Show everything
          </button>
        </p>
      )}
      <FreshList className="grid">
        {products.map((product) => (
          <ProductCard key={product.id} product={product} inCart={inCart(product)} />
        ))}
      </FreshList>
    </>
  );
}

function countText(count: number, query: string): string {
  const things = count === 1 ? '1 product' : `${count} products`;
  const about = query.trim() === '' ? '' : ` for “${query.trim()}”`;
  return count === 0 ? `Nothing found${about}.` : `${things}${about}`;
}

function ProductCard({ product, inCart }: { product: Product; inCart: number }) {
  return (
    <li className="card" data-testid={`product-${product.id}`}>
      <div className="tile">
        <ProductPicture product={product} />
      </div>
      <h2>
        <a className="name" href={`/products/${product.id}`} data-focus={`see-${product.id}`}>
          {product.name}
        </a>
      </h2>
      <p className="note">{inCart > 0 ? `${inCart} in your cart` : product.note}</p>
      <div className="buy">
        <span className="price">{formatEuro(product.priceCents)}</span>
        <AddButton product={product} />
      </div>
    </li>
  );
}

function AddButton({ product }: { product: Product }) {
  if (product.soldOut) return <span className="tag">Sold out</span>;
  const add = async () => {
    await changeCart('add', product.id, 1);
    showToast(`${product.name} is in your cart.`);
  };
  return (
    <button type="button" data-focus={`add-${product.id}`} onClick={() => void add()}>
      Add<span className="unseen"> {product.name} to cart</span>
    </button>
  );
}
