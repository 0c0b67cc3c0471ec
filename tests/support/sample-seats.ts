/** Two paid seats at an event, as emails and receipts describe them. */
export const sampleSeats = {
  title: 'Gala under the Oaks',
  name: 'Anagha',
  lines: [
    { name: 'Member’s seat', amount: 2_500, quantity: 1 },
    { name: 'Guest’s seat', amount: 5_000, quantity: 1 },
  ],
  amount: 7_500,
  currency: 'usd',
  paidAt: Date.UTC(2026, 11, 31, 23, 30),
  receiptNumber: 'R-2026-SEATS',
}
