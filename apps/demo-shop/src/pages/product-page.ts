import { findProduct, type Product, products } from '../catalogue.ts';
import { DELIVERY_SPEEDS } from '../delivery.ts';
import { type Html, html } from '../html.ts';
import { formatEuro } from '../money.ts';
import type { Page } from '../page.ts';
import { productCard, productPicture } from '../product-card.ts';

export const productPage: Page = {
  path: '/products/:id',
  content({ params }) {
    const product = findProduct(params['id'] ?? '');
    return product && { title: product.name, body: productBody(product) };
  },
};

function productBody(product: Product): Html {
  return html`<nav class="trail" aria-label="Breadcrumb">
      <a href="/">Shop</a> <span aria-hidden="true">/</span> <a href="/search?category=${product.category}">${product.category}</a>
    </nav>
    <article class="product">
      <div class="tile">${productPicture(product)}</div>
      <div class="stack">
        <h1>${product.name}</h1>
        <p class="lead">${product.note}</p>
        <p class="price large">${formatEuro(product.priceCents)}</p>
        ${product.soldOut ? soldOutForm() : buyForm(product)}
        <dl class="facts">
          <dt>Material</dt><dd>${product.material}</dd>
          <dt>Size</dt><dd>${product.size}</dd>
          <dt>Delivery</dt><dd>From ${formatEuro(DELIVERY_SPEEDS.standard.priceCents)}, in 3 to 5 days</dd>
        </dl>
      </div>
    </article>
    <section aria-labelledby="beside">
      <h2 id="beside">Also in ${product.category}</h2>
      <ul class="grid">${beside(product).map(productCard)}</ul>
    </section>`;
}

function buyForm(product: Product): Html {
  return html`<form class="row" method="post" action="/cart/add" data-add="${product.name}">
      <input type="hidden" name="product" value="${product.id}">
      <label>Quantity <input class="quantity" type="number" name="quantity" value="1" min="1" max="20" required></label>
      <button class="primary" type="submit" data-testid="add-to-cart">Add to cart</button>
    </form>`;
}

function soldOutForm(): Html {
  return html`<p class="row"><button type="button" disabled>Sold out</button> <span class="note">Back in spring.</span></p>`;
}

function beside(product: Product): Product[] {
  return products.filter((other) => other.category === product.category && other.id !== product.id);
}
