import type { Product } from '../../catalogue.ts';
import { PICTURE_VIEW_BOX, productPictures } from '../../product-pictures.ts';

export function ProductPicture({ product }: { product: Product }) {
  return (
    <svg className={`picture tone-${product.tone}`} viewBox={PICTURE_VIEW_BOX} aria-hidden="true">
      {productPictures[product.picture].map((shape) => (
        <path key={shape.d} className={shape.fill} d={shape.d} />
      ))}
    </svg>
  );
}
