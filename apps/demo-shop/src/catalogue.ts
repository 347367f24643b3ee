import type { PictureName } from './product-pictures.ts';

export const CATEGORIES = ['Light', 'Furniture', 'Kitchen', 'Home'] as const;
export type Category = (typeof CATEGORIES)[number];

export type Tone = 'sage' | 'clay' | 'sand' | 'sky' | 'plum';

export type Product = {
  id: string;
  name: string;
  category: Category;
  priceCents: number;
  note: string;
  material: string;
  size: string;
  picture: PictureName;
  tone: Tone;
  soldOut?: true;
};

export const products: readonly Product[] = [
  {
    id: 'dusk-table-lamp',
    name: 'Dusk table lamp',
    category: 'Light',
    priceCents: 4900,
    note: 'A linen shade that keeps the light low and warm.',
    material: 'Linen, blackened steel',
    size: '24 × 24 × 42 cm',
    picture: 'tableLamp',
    tone: 'sand',
  },
  {
    id: 'harbour-floor-lamp',
    name: 'Harbour floor lamp',
    category: 'Light',
    priceCents: 12900,
    note: 'A dome on a thin stem, for the reading corner.',
    material: 'Painted steel',
    size: '36 × 36 × 148 cm',
    picture: 'floorLamp',
    tone: 'sky',
  },
  {
    id: 'pebble-night-light',
    name: 'Pebble night light',
    category: 'Light',
    priceCents: 2400,
    note: 'Porcelain, with a timer of thirty minutes.',
    material: 'Porcelain, cork',
    size: '12 × 10 × 8 cm',
    picture: 'nightLight',
    tone: 'plum',
  },
  {
    id: 'storm-lantern',
    name: 'Storm lantern',
    category: 'Light',
    priceCents: 3900,
    note: 'Burns eight hours; stays lit in the rain.',
    material: 'Tin, glass',
    size: '16 × 16 × 28 cm',
    picture: 'lantern',
    tone: 'clay',
  },
  {
    id: 'dome-pendant',
    name: 'Dome pendant',
    category: 'Light',
    priceCents: 8900,
    note: 'Hangs low over a table and glares at nobody.',
    material: 'Spun aluminium',
    size: '40 × 40 × 24 cm',
    picture: 'pendant',
    tone: 'sage',
  },
  {
    id: 'alder-chair',
    name: 'Alder chair',
    category: 'Furniture',
    priceCents: 14900,
    note: 'A kitchen chair with a back that gives a little.',
    material: 'Solid alder',
    size: '46 × 48 × 80 cm',
    picture: 'chair',
    tone: 'clay',
  },
  {
    id: 'three-leg-stool',
    name: 'Three-leg stool',
    category: 'Furniture',
    priceCents: 7900,
    note: 'Never wobbles, whatever the floor.',
    material: 'Oiled oak',
    size: '36 × 36 × 45 cm',
    picture: 'stool',
    tone: 'sand',
  },
  {
    id: 'heron-armchair',
    name: 'Heron armchair',
    category: 'Furniture',
    priceCents: 38900,
    note: 'Deep, upright, and hard to leave.',
    material: 'Wool, beech',
    size: '78 × 80 × 92 cm',
    picture: 'armchair',
    tone: 'sage',
    soldOut: true,
  },
  {
    id: 'round-side-table',
    name: 'Round side table',
    category: 'Furniture',
    priceCents: 15900,
    note: 'Room for a lamp, a book and a cup.',
    material: 'Oak veneer',
    size: '45 × 45 × 52 cm',
    picture: 'roundTable',
    tone: 'sky',
  },
  {
    id: 'ladder-shelf',
    name: 'Ladder shelf',
    category: 'Furniture',
    priceCents: 11900,
    note: 'Leans on the wall; needs no drill.',
    material: 'Ash, steel',
    size: '60 × 35 × 180 cm',
    picture: 'ladderShelf',
    tone: 'plum',
  },
  {
    id: 'stoneware-mug-sand',
    name: 'Stoneware mug, sand',
    category: 'Kitchen',
    priceCents: 1450,
    note: 'Holds 300 ml and the heat.',
    material: 'Stoneware',
    size: '9 × 9 × 10 cm',
    picture: 'mug',
    tone: 'sand',
  },
  {
    id: 'stoneware-mug-slate',
    name: 'Stoneware mug, slate',
    category: 'Kitchen',
    priceCents: 1450,
    note: 'The same mug in a darker glaze.',
    material: 'Stoneware',
    size: '9 × 9 × 10 cm',
    picture: 'mug',
    tone: 'sky',
  },
  {
    id: 'clay-teapot',
    name: 'Clay teapot',
    category: 'Kitchen',
    priceCents: 4200,
    note: 'Four cups, and a spout that does not drip.',
    material: 'Red clay',
    size: '24 × 15 × 16 cm',
    picture: 'teapot',
    tone: 'clay',
  },
  {
    id: 'breakfast-bowl',
    name: 'Breakfast bowl',
    category: 'Kitchen',
    priceCents: 1200,
    note: 'Wide enough for porridge and fruit.',
    material: 'Stoneware',
    size: '16 × 16 × 8 cm',
    picture: 'bowl',
    tone: 'sage',
  },
  {
    id: 'oak-board',
    name: 'Oak board',
    category: 'Kitchen',
    priceCents: 2800,
    note: 'Cut on one side, serve on the other.',
    material: 'Oiled oak',
    size: '24 × 36 × 2 cm',
    picture: 'board',
    tone: 'sand',
  },
  {
    id: 'tall-vase',
    name: 'Tall vase',
    category: 'Home',
    priceCents: 3400,
    note: 'For three stems, or none.',
    material: 'Glazed clay',
    size: '12 × 12 × 30 cm',
    picture: 'vase',
    tone: 'plum',
  },
  {
    id: 'herb-planter',
    name: 'Herb planter',
    category: 'Home',
    priceCents: 1800,
    note: 'Waters itself for a week.',
    material: 'Terracotta',
    size: '18 × 18 × 16 cm',
    picture: 'planter',
    tone: 'sage',
  },
  {
    id: 'quiet-wall-clock',
    name: 'Quiet wall clock',
    category: 'Home',
    priceCents: 5600,
    note: 'Moves without a tick.',
    material: 'Birch, glass',
    size: '30 × 30 × 4 cm',
    picture: 'clock',
    tone: 'sky',
  },
  {
    id: 'wool-blanket',
    name: 'Wool blanket',
    category: 'Home',
    priceCents: 8900,
    note: 'Woven double, brushed once.',
    material: 'Lambswool',
    size: '130 × 190 cm',
    picture: 'blanket',
    tone: 'clay',
  },
  {
    id: 'beeswax-candle',
    name: 'Beeswax candle',
    category: 'Home',
    priceCents: 950,
    note: 'Burns forty hours and smells of summer.',
    material: 'Beeswax, cotton',
    size: '6 × 6 × 12 cm',
    picture: 'candle',
    tone: 'sand',
  },
];

const byId = new Map(products.map((product) => [product.id, product]));

export function findProduct(id: string): Product | undefined {
  return byId.get(id);
}

export type SortOrder = 'shelf' | 'cheapest' | 'dearest';

export function isSortOrder(text: string): text is SortOrder {
  return text === 'shelf' || text === 'cheapest' || text === 'dearest';
}

export function searchProducts(query: string, category: string, sort: SortOrder): Product[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = products.filter(
    (product) =>
      (category === '' || product.category === category) &&
      words.every((word) => searchText(product).includes(word)),
  );
  if (sort === 'cheapest') return found.sort((a, b) => a.priceCents - b.priceCents);
  if (sort === 'dearest') return found.sort((a, b) => b.priceCents - a.priceCents);
  return found;
}

function searchText(product: Product): string {
  return `${product.name} ${product.category} ${product.note} ${product.material}`.toLowerCase();
}
