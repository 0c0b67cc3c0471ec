/** The United States with its territories, countries that follow them, and Canada, which writes both. */
const MONTH_FIRST = new Set(['US', 'AS', 'GU', 'MP', 'PR', 'UM', 'VI', 'CA', 'FM', 'MH', 'PH', 'PW'])

/** Whether people in a country mean the third of February by 3/2/2026. @param country ISO 3166, such as US */
export function writesDayFirst(country: string): boolean {
  return !MONTH_FIRST.has(country)
}

/** How a day can be written, for hints: '2026-03-02, or as 3/2/2026 with the month first'. */
export function dayForms(isDayFirst: boolean): string {
  return `2026-03-02, or as ${isDayFirst ? '2/3/2026 with the day first' : '3/2/2026 with the month first'}`
}
