import type { ReactNode } from 'react';

/** Drawn in the page's colours, and decorative: the text beside them has all content. */
function Picture({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 240 140"
      aria-hidden
      className="h-auto w-full rounded-card border border-line bg-ground"
    >
      {children}
    </svg>
  );
}

const LINE = { stroke: 'var(--line-strong)', strokeWidth: 1.5 } as const;
const bar = (x: number, y: number, width: number, fill = 'var(--line)') => (
  <rect x={x} y={y} width={width} height={7} rx={3.5} fill={fill} />
);

/** Three tabs, one of them lent. */
export function LendPicture() {
  return (
    <Picture>
      {[20, 88, 156].map((x, at) => (
        <path
          key={x}
          d={`M${x} 44 v-12 a8 8 0 0 1 8 -8 h46 a8 8 0 0 1 8 8 v12`}
          {...LINE}
          fill={at === 1 ? 'var(--accent-soft)' : 'var(--sunken)'}
          stroke={at === 1 ? 'var(--accent)' : 'var(--line-strong)'}
        />
      ))}
      {bar(34, 31, 34)}
      {bar(102, 31, 34, 'var(--accent)')}
      {bar(170, 31, 34)}
      <rect
        x={20}
        y={44}
        width={200}
        height={80}
        rx={6}
        fill="var(--surface)"
        stroke="var(--accent)"
        strokeWidth={3}
      />
      {bar(36, 60, 90)}
      {bar(36, 76, 130)}
      {bar(36, 92, 70)}
      <rect x={150} y={92} width={54} height={18} rx={9} fill="var(--accent)" />
      <path
        d="M163 101 l4 4 l8 -8"
        stroke="var(--on-accent)"
        strokeWidth={2.5}
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <rect x={181} y={98} width={14} height={6} rx={3} fill="var(--on-accent)" />
    </Picture>
  );
}

/** A page, and the text read from it; the secret stays dots. */
export function SeePicture() {
  return (
    <Picture>
      <rect x={14} y={20} width={96} height={100} rx={6} fill="var(--surface)" {...LINE} />
      {bar(26, 34, 60, 'var(--quiet)')}
      <rect x={26} y={52} width={72} height={16} rx={4} fill="none" {...LINE} />
      {bar(32, 56.5, 40)}
      <rect x={26} y={74} width={72} height={16} rx={4} fill="none" {...LINE} />
      {[36, 46, 56, 66].map((x) => (
        <circle key={x} cx={x} cy={82} r={3} fill="var(--ink)" />
      ))}
      <rect x={26} y={98} width={40} height={14} rx={7} fill="var(--accent)" />
      <path
        d="M120 70 h24 m-8 -7 l8 7 l-8 7"
        stroke="var(--accent)"
        strokeWidth={2.5}
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <g fontFamily="var(--font-mono)" fontSize={10} fill="var(--ink)">
        <text x={154} y={42}>
          heading
        </text>
        <text x={154} y={64}>
          field “name”
        </text>
        <text x={154} y={86} fill="var(--quiet)">
          field: filled
        </text>
        <text x={154} y={109} fill="var(--accent)">
          button “Pay”
        </text>
      </g>
    </Picture>
  );
}

/** A prompt card with two buttons. */
export function AskPicture() {
  return (
    <Picture>
      <rect
        x={36}
        y={14}
        width={168}
        height={112}
        rx={8}
        fill="var(--surface)"
        stroke="var(--wait-line)"
        strokeWidth={2}
      />
      <path d="M36 22 a8 8 0 0 1 8 -8 h152 a8 8 0 0 1 8 8 v14 h-168 z" fill="var(--wait-soft)" />
      <path d="M50 18 l7 3 v5 c0 4 -3 6 -7 8 c-4 -2 -7 -4 -7 -8 v-5 z" fill="var(--wait)" />
      {bar(64, 22, 70, 'var(--wait)')}
      {bar(50, 48, 110, 'var(--ink)')}
      {bar(50, 64, 26)}
      {bar(84, 64, 84, 'var(--quiet)')}
      {bar(50, 78, 26)}
      {bar(84, 78, 60, 'var(--quiet)')}
      <rect x={50} y={98} width={58} height={18} rx={6} fill="none" stroke="var(--fail)" strokeWidth={1.5} />
      {bar(64, 103.5, 30, 'var(--fail)')}
      <rect x={132} y={98} width={58} height={18} rx={6} fill="var(--accent)" />
      {bar(146, 103.5, 30, 'var(--on-accent)')}
    </Picture>
  );
}

/** A hand on the page, and a stop button. */
export function StopPicture() {
  return (
    <Picture>
      <rect
        x={20}
        y={22}
        width={120}
        height={96}
        rx={6}
        fill="var(--surface)"
        {...LINE}
        strokeDasharray="5 4"
      />
      {bar(36, 42, 70)}
      {bar(36, 58, 88)}
      {bar(36, 74, 50)}
      <path
        d="M100 84 l0 24 l6 -6 l5 11 l5 -2 l-5 -11 l9 -1 z"
        fill="var(--ink)"
        stroke="var(--surface)"
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
      <circle cx={184} cy={56} r={28} fill="var(--fail-soft)" stroke="var(--fail)" strokeWidth={2} />
      <rect x={174} y={46} width={20} height={20} rx={4} fill="var(--fail)" />
      <rect
        x={156}
        y={98}
        width={56}
        height={18}
        rx={9}
        fill="none"
        stroke="var(--line-strong)"
        strokeWidth={1.5}
      />
      {bar(170, 103.5, 28, 'var(--quiet)')}
    </Picture>
  );
}
