import { pageElement } from './parts/page-element.ts';

type Point = { x: number; y: number };

const STEP_PX = 10;
const DOT_RADIUS_PX = 7;
const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -STEP_PX, y: 0 },
  ArrowRight: { x: STEP_PX, y: 0 },
  ArrowUp: { x: 0, y: -STEP_PX },
  ArrowDown: { x: 0, y: STEP_PX },
};

const canvas = pageElement('#plan', HTMLCanvasElement);
const output = pageElement('#points', HTMLOutputElement);
const context = canvas.getContext('2d');
const points: Point[] = [];
let cursor: Point = { x: canvas.width / 2, y: canvas.height / 2 };

canvas.addEventListener('click', (event) => {
  const scale = canvas.width / canvas.clientWidth;
  cursor = { x: Math.round(event.offsetX * scale), y: Math.round(event.offsetY * scale) };
  addPoint();
});
canvas.addEventListener('keydown', (event) => {
  const move = ARROWS[event.key];
  if (!move && event.key !== 'Enter') return;
  event.preventDefault();
  if (move) cursor = { x: cursor.x + move.x, y: cursor.y + move.y };
  else addPoint();
  draw();
});
pageElement('#clear', HTMLButtonElement).addEventListener('click', () => {
  points.length = 0;
  draw();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
draw();

function addPoint(): void {
  points.push(cursor);
  draw();
  canvas.dispatchEvent(new CustomEvent('shop:lamp-placed', { detail: cursor, bubbles: true }));
}

function draw(): void {
  output.textContent = points.map(({ x, y }) => `${x},${y}`).join(' ') || 'none';
  if (!context) return;
  const { color } = getComputedStyle(canvas);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.strokeStyle = color;
  context.lineWidth = 1;
  for (const [x, y, width, height] of [
    [40, 40, 340, 280],
    [380, 40, 220, 160],
    [380, 200, 220, 120],
  ] as const)
    context.strokeRect(x, y, width, height);
  context.fillStyle = color;
  for (const { x, y } of points) {
    context.beginPath();
    context.arc(x, y, DOT_RADIUS_PX, 0, 2 * Math.PI);
    context.fill();
  }
  context.fillRect(cursor.x - 1, cursor.y - 4, 2, 8);
  context.fillRect(cursor.x - 4, cursor.y - 1, 8, 2);
}
