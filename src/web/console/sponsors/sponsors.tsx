import { useState } from 'react'
import {
  keepPromise,
  listSponsorships,
  sendReceiptAgain,
  type PaidSponsor,
  type PromiseKind,
} from '#contract/console-sponsors.ts'
import { formatLongDate } from '#contract/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { ChoiceTabs } from '#web/features/console/choice-tabs.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { Pager } from '#web/features/console/pager.tsx'
import { SearchField } from '#web/features/console/search-field.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { PaymentMark } from '#web/features/members/member-money.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** Who paid for a sponsorship, and whether each promise is kept. */
export default function SponsorsPage() {
  const [show, setShow] = useState<'open' | 'all'>('open')
  const [words, setWords] = useState('')
  const [page, setPage] = useState(1)
  const found = useLoaded(`${show} ${page} ${words}`, () =>
    callAsOfficer(listSponsorships, { query: { show, page: String(page), q: words || undefined } }),
  )
  const action = useAction()
  const [mailing, setMailing] = useState<PaidSponsor | null>(null)

  async function keep({ id, company }: PaidSponsor, kind: PromiseKind, isKept: boolean) {
    await action.run(
      `${id} ${kind}`,
      async () => {
        const changed = await callAsOfficer(keepPromise, { params: { id, kind }, body: { isKept } })
        const { value } = found
        if (value)
          found.setValue({ ...value, sponsorships: value.sponsorships.map((one) => (one.id === id ? changed : one)) })
      },
      isKept ? `Kept: ${company} has what was promised.` : `It is to be kept again for ${company}.`,
    )
  }

  async function mail({ id }: PaidSponsor) {
    setMailing(null)
    await action.run(
      `${id} receipt`,
      async () => callAsOfficer(sendReceiptAgain, { params: { id }, body: {} }),
      'The receipt is on its way again.',
    )
  }

  return (
    <ConsolePage
      title="Sponsors"
      lead="Who paid for a sponsorship, and what they were promised."
      action={
        <ButtonLink variant="line" to="/console/run-of-show">
          Run of show
        </ButtonLink>
      }
    >
      <ActionMessages action={action} />
      <ChoiceTabs
        label="Which sponsors"
        choices={[
          ['open', 'With promises to keep'],
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
          if (next === words) return
          setWords(next)
          setPage(1)
        }}
      />
      <WhenLoaded loaded={found} what="the sponsors">
        {({ sponsorships, hasMore, mayChange }) => (
          <>
            {sponsorships.length === 0 && (
              <p className="sheet">
                {words ? 'Nothing was found.' : show === 'open' ? 'Every promise is kept.' : 'Nobody has paid yet.'}
              </p>
            )}
            <ul className="entries">
              {sponsorships.map((sponsor) => (
                <Sponsor
                  key={sponsor.id}
                  sponsor={sponsor}
                  busy={action.busy}
                  mayChange={mayChange}
                  onKeep={(kind, isKept) => void keep(sponsor, kind, isKept)}
                  onMail={() => setMailing(sponsor)}
                />
              ))}
            </ul>
            <Pager page={page} hasMore={hasMore} onPage={setPage} />
          </>
        )}
      </WhenLoaded>
      <Dialog open={mailing !== null} onClose={() => setMailing(null)} title="Mail the receipt again?" width="30rem">
        {mailing && (
          <>
            <p>
              The letter of thanks with receipt {mailing.receiptNumber} goes to {mailing.email} once more, the same as
              the first time.
            </p>
            <div className="buttons">
              <Button onClick={() => void mail(mailing)}>Mail it</Button>
              <Button variant="line" onClick={() => setMailing(null)}>
                Not now
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
  onKeep(kind: PromiseKind, isKept: boolean): void
  onMail(): void
}) {
  const { id, company, name, email, phone, message, tierName, amount, currency, paidAt, receiptNumber } = sponsor
  const isReturned = sponsor.dispute === 'lost' || sponsor.amountRefunded >= amount
  return (
    <li className="sheet flow">
      <div className="sheet-head">
        <h2>{company}</h2>
        <p>
          {tierName}, {formatMoney(amount, currency)} <PaymentMark payment={sponsor} />
        </p>
      </div>
      <p className="break">
        {name}, <a href={`mailto:${email}`}>{email}</a>
        {phone && `, ${phone}`}
      </p>
      {message && <p className="as-written soft">{message}</p>}
      {sponsor.promises.length === 0 ? (
        <p className="soft">
          {isReturned ? 'The money went back: nothing is to be kept.' : 'Nothing was promised but our thanks.'}
        </p>
      ) : (
        <ul className="promises">
          {sponsor.promises.map(({ kind, words, keptAt }) => (
            <li key={kind}>
              <span>{words}</span>
              {keptAt ? <Badge tone="ok">Kept {formatLongDate(keptAt)}</Badge> : <Badge tone="warn">To keep</Badge>}
              {mayChange && (
                <Button
                  variant="line"
                  size="small"
                  aria-label={`${words}, ${company}: ${keptAt ? 'not kept after all' : 'it is kept'}`}
                  busy={busy === `${id} ${kind}`}
                  busyLabel="Saving"
                  onClick={() => onKeep(kind, keptAt === null)}
                >
                  {keptAt ? 'Not yet' : 'It is kept'}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="sheet-head">
        <p className="small soft">
          Paid on {formatLongDate(paidAt)} · receipt {receiptNumber}
        </p>
        {mayChange && (
          <Button
            variant="line"
            size="small"
            aria-label={`Mail the receipt of ${company} again`}
            busy={busy === `${id} receipt`}
            busyLabel="Mailing"
            onClick={onMail}
          >
            Mail the receipt again
          </Button>
        )}
      </div>
    </li>
  )
}
