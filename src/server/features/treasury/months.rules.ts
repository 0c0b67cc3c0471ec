/** The month after one, both `YYYY-MM`. */
export function nextMonth(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

/** Cents as a spreadsheet reads them, '12.50'. */
export function decimal(cents: number): string {
  return (cents / 100).toFixed(2)
}
