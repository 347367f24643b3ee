/** Rounds to three digits below 1,000 and to a whole number above. */
export const whole = (value: number): string =>
  Math.abs(value) < 100 ? String(Number(value.toPrecision(3))) : Math.round(value).toLocaleString('en');

export const times = (value: number): string =>
  `${value < 1 ? Number(value.toPrecision(3)) : value < 10 ? value.toFixed(2) : whole(value)} ×`;

export const amount = (value: number, unit: string): string => `${whole(value)} ${unit}`;
