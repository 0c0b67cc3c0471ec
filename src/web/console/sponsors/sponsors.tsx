import { useState } from 'react'
import {
  setBenefitDelivered,
  listSponsorships,
  resendSponsorReceipt,
  type PaidSponsor,
  type BenefitKind,
} from '#contract/console/sponsors.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ChoiceTabs } from '../forms/choice-tabs.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { Pager } from '../shell/pager.tsx'
import { SearchField } from '../forms/search-field.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { PaymentBadge } from '../members/member/member-payments.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

/** Paid sponsorships and their benefits. */
export default function SponsorsPage() {
  const [show, setShow] = useState<'open' | 'all'>('open')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const found = useLoaded(listSponsorships, { query: { show, page: String(page), q: search || undefined } })
  const action = useAction()
  const [mailing, setMailing] = useState<PaidSponsor | null>(null)

  async function markDelivered({ id, company }: PaidSponsor, kind: BenefitKind, isKept: boolean) {
    await action.run(
      `${id} ${kind}`,
      async () => {
        const changed = await callAsOfficer(setBenefitDelivered, { params: { id, kind }, body: { isKept } })
        const { value } = found
        if (value)
          found.setValue({ ...value, sponsorships: value.sponsorships.map((one) => (one.id === id ? changed : one)) })
      },
      isKept ? `Marked as delivered for ${company}.` : `Marked as not delivered for ${company}.`,
    )
  }

  async function mail({ id }: PaidSponsor) {
    setMailing(null)
    await action.run(
      `${id} receipt`,
      async () => callAsOfficer(resendSponsorReceipt, { params: { id }, body: {} }),
      'Receipt sent.',
    )
  }

  return (
    <ConsolePage
      title="Sponsors"
      lead="Paid sponsorships and the benefits they include."
      action={
        <ButtonLink variant="line" to="/console/run-of-show">
          Run of show
        </ButtonLink>
      }
    >
      <ActionMessages action={action} />
      <ChoiceTabs
        label="Sponsor status"
        choices={[
          ['open', 'Benefits due'],
          ['all', 'All'],
        ]}
        chosen={show}
        onChoose={(next) => {
          setShow(next)
          setPage(1)
        }}
      />
      <SearchField
        label="Search companies, names, tiers and receipts"
        onSearch={(next) => {
          if (next === search) return
          setSearch(next)
          setPage(1)
        }}
      />
      <WhenLoaded loaded={found} what="the sponsors">
        {({ sponsorships, hasMore, mayChange }) => (
          <>
            {sponsorships.length === 0 && (
              <p className="card">{search ? 'No results.' : show === 'open' ? 'All caught up.' : 'No sponsors yet.'}</p>
            )}
            <ul className="entries">
              {sponsorships.map((sponsor) => (
                <Sponsor
                  key={sponsor.id}
                  sponsor={sponsor}
                  busy={action.busy}
                  mayChange={mayChange}
                  onKeep={(kind, isKept) => void markDelivered(sponsor, kind, isKept)}
                  onMail={() => setMailing(sponsor)}
                />
              ))}
            </ul>
            <Pager page={page} hasMore={hasMore} onPage={setPage} />
          </>
        )}
      </WhenLoaded>
      <Dialog open={mailing !== null} onClose={() => setMailing(null)} title="Resend receipt?" width="30rem">
        {mailing && (
          <>
            <p>
              We’ll send the thank-you email with receipt {mailing.receiptNumber} to {mailing.email} again.
            </p>
            <div className="buttons">
              <Button onClick={() => void mail(mailing)}>Resend</Button>
              <Button variant="line" onClick={() => setMailing(null)}>
                Cancel
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </ConsolePage>
  )
}

function Sponsor({
  sponsor,
  busy,
  mayChange,
  onKeep,
  onMail,
}: {
  sponsor: PaidSponsor
  busy: string | null
  mayChange: boolean
  onKeep(kind: BenefitKind, isKept: boolean): void
  onMail(): void
}) {
  const { id, company, name, email, phone, message, tierName, amount, currency, paidAt, receiptNumber } = sponsor
  const isReturned = sponsor.dispute === 'lost' || sponsor.amountRefunded >= amount
  return (
    <li className="card flow">
      <div className="card-head">
        <h2>{company}</h2>
        <p>
          {tierName}, {formatMoney(amount, currency)} <PaymentBadge payment={sponsor} />
        </p>
      </div>
      <p className="break">
        {name}, <a href={`mailto:${email}`}>{email}</a>
        {phone && `, ${phone}`}
      </p>
      {message && <p className="preformatted soft">{message}</p>}
      {sponsor.promises.length === 0 ? (
        <p className="soft">{isReturned ? 'Refunded: no benefits are due.' : 'No benefits.'}</p>
      ) : (
        <ul className="benefits">
          {sponsor.promises.map(({ kind, words: text, keptAt }) => (
            <li key={kind}>
              <span>{text}</span>
              {keptAt ? <Badge tone="ok">Delivered {formatLongDate(keptAt)}</Badge> : <Badge tone="warn">Due</Badge>}
              {mayChange && (
                <Button
                  variant="line"
                  size="small"
                  aria-label={`${keptAt ? 'Mark not delivered' : 'Mark delivered'}: ${text}, ${company}`}
                  busy={busy === `${id} ${kind}`}
                  busyLabel="Saving"
                  onClick={() => onKeep(kind, keptAt === null)}
                >
                  {keptAt ? 'Mark not delivered' : 'Mark delivered'}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="card-head">
        <p className="small soft">
          Paid on {formatLongDate(paidAt)} · receipt {receiptNumber}
        </p>
        {mayChange && (
          <Button
            variant="line"
            size="small"
            aria-label={`Resend receipt to ${company}`}
            busy={busy === `${id} receipt`}
            busyLabel="Sending"
            onClick={onMail}
          >
            Resend receipt
          </Button>
        )}
      </div>
    </li>
  )
}
