/** Colour of a shape; the stylesheet gives each a light and a dark value per tone. */
export type Fill = 'ink' | 'main' | 'soft' | 'glow' | 'shade';

export type Shape = { fill: Fill; d: string };

type Point = readonly [x: number, y: number];

export function ellipse(fill: Fill, cx: number, cy: number, rx: number, ry = rx): Shape {
  return { fill, d: ellipsePath(cx, cy, rx, ry) };
}

export function ring(fill: Fill, cx: number, cy: number, rx: number, ry: number, width: number): Shape {
  return { fill, d: ellipsePath(cx, cy, rx, ry) + ellipsePath(cx, cy, rx - width, ry - width) };
}

export function box(fill: Fill, x: number, y: number, width: number, height: number, r = 0): Shape {
  const corner = (dx: number, dy: number) => (r === 0 ? '' : `a${r} ${r} 0 0 1 ${dx} ${dy}`);
  const across = width - 2 * r;
  const down = height - 2 * r;
  return {
    fill,
    d: `M${x + r} ${y}h${across}${corner(r, r)}v${down}${corner(-r, r)}h${-across}${corner(-r, -r)}v${-down}${corner(r, -r)}z`,
  };
}

export function polygon(fill: Fill, ...points: readonly Point[]): Shape {
  return { fill, d: `M${points.map((point) => point.join(' ')).join('L')}z` };
}

export function line(fill: Fill, from: Point, to: Point, width: number): Shape {
  const [x1, y1] = from;
  const [x2, y2] = to;
  const length = Math.hypot(x2 - x1, y2 - y1);
  const dx = (((y2 - y1) / length) * width) / 2;
  const dy = (((x2 - x1) / length) * width) / 2;
  return polygon(
    fill,
    tidy(x1 - dx, y1 + dy),
    tidy(x1 + dx, y1 - dy),
    tidy(x2 + dx, y2 - dy),
    tidy(x2 - dx, y2 + dy),
  );
}

export function path(fill: Fill, d: string): Shape {
  return { fill, d };
}

function ellipsePath(cx: number, cy: number, rx: number, ry: number): string {
  return `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`;
}

function tidy(x: number, y: number): Point {
  return [Math.round(x * 100) / 100, Math.round(y * 100) / 100];
}
