import type { Product } from './catalogue.ts';
import { type Html, html } from './html.ts';
import { formatEuro } from './money.ts';
import { PICTURE_VIEW_BOX, productPictures } from './product-pictures.ts';

export function productPicture(product: Product): Html {
  return html`<svg class="picture tone-${product.tone}" viewBox="${PICTURE_VIEW_BOX}" aria-hidden="true">
      ${productPictures[product.picture].map((shape) => html`<path class="${shape.fill}" d="${shape.d}" />`)}
    </svg>`;
}

export function productCard(product: Product): Html {
  return html`<li class="card">
    <div class="tile">${productPicture(product)}</div>
    <h3><a class="name" href="/products/${product.id}">${product.name}</a></h3>
    <p class="note">${product.note}</p>
    <div class="buy">
      <span class="price">${formatEuro(product.priceCents)}</span>
      ${product.soldOut ? html`<span class="tag">Sold out</span>` : addForm(product)}
    </div>
  </li>`;
}

function addForm(product: Product): Html {
  return html`<form method="post" action="/cart/add" data-add="${product.name}">
        <input type="hidden" name="product" value="${product.id}">
        <button type="submit">Add<span class="unseen"> ${product.name} to cart</span></button>
      </form>`;
}
