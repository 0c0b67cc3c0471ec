import { formatMoney } from '#contract/money.ts'

/** What a party pays now, announced when it changes. An estimate: the server computes the amount that is charged. */
export function TotalToPay({ cents, currency }: { cents: number; currency: string }) {
  return (
    <p className="total" role="status">
      <span>
        To pay now<span className="visually-hidden">: </span>
      </span>
      <b>{cents === 0 ? 'free' : formatMoney(cents, currency)}</b>
    </p>
  )
}
