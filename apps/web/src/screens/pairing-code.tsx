import { encode } from 'uqr';

/** A QR code, dark on light in both themes: cameras read inverted codes badly. */
export function PairingCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'L', border: 3 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="my-2 w-full max-w-56 rounded-md bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
