/** 4900 → "49 €", 1450 → "14.50 €". */
export function formatEuro(cents: number): string {
  const euros = cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);
  return `${euros} €`;
}
