/** Values of the sample emails, which tests check and officers see when they change an email's wording. */
export const SAMPLE_URL = 'https://example.org/x?email=a%40b.example&token=abc'
/** December 31, 2026, 6:30 PM in this time zone. */
export const SAMPLE_TIME = Date.UTC(2026, 11, 31, 23, 30)
export const SAMPLE_TIME_ZONE = 'America/New_York'
export const SAMPLE_LEVEL = {
  _id: '1',
  key: 'annual_member',
  name: 'Annual Member',
  description: '',
  unitAmount: 10_000,
  currency: 'usd',
  interval: 'year' as const,
  intervalCount: 1,
  isRecurring: true,
}
