import { useState } from 'react'
import {
  setBenefitDeadline,
  setBenefitDelivered,
  listSponsorships,
  resendSponsorReceipt,
  type PaidSponsor,
} from '#contract/console/sponsors.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { formatMoney } from '#contract/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ListStates } from '../list/list-states.tsx'
import { ListTools } from '../list/list-tools.tsx'
import { useList } from '../list/use-list.ts'
import { PaymentBadge } from '../members/member/member-payments.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import { Pager } from '../shell/pager.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Empty } from '../ui/empty.tsx'
import { PageTabs } from '../ui/page-tabs.tsx'
import { RowMenu } from '../ui/row-menu.tsx'
import { showFailure, showToast } from '../ui/toasts.tsx'
import { DeadlineForm } from './deadline-form.tsx'

type Benefit = PaidSponsor['promises'][number]

/** Paid sponsorships and their benefits. */
export default function SponsorsPage() {
  const list = useList({ name: 'sponsors', filters: ['show'], columns: [] })
  const show = list.filters['show']?.[0] === 'all' ? 'all' : 'open'
  const found = useLoaded(listSponsorships, {
    query: { show, page: String(list.page), q: list.query || undefined },
  })
  const [mailing, setMailing] = useState<PaidSponsor | null>(null)
  const [dating, setDating] = useState<{ sponsor: PaidSponsor; benefit: Benefit } | null>(null)

  function accept(changed: PaidSponsor) {
    const { value } = found
    if (value)
      found.setValue({
        ...value,
        sponsorships: value.sponsorships.map((one) => (one.id === changed.id ? changed : one)),
      })
  }

  async function act(work: () => Promise<unknown>, done: string, undo?: () => Promise<void>) {
    try {
      await work()
      showToast(done, undo ? { undo } : {})
    } catch (failure) {
      showFailure(officerErrorMessage(failure))
      found.reload()
    }
  }

  function mark({ id, company }: PaidSponsor, { kind }: Benefit, isKept: boolean) {
    const set = async (isDelivered: boolean) =>
      accept(await callAsOfficer(setBenefitDelivered, { params: { id, kind }, body: { isKept: isDelivered } }))
    const done = isKept ? `Marked as delivered for ${company}.` : `Marked as not delivered for ${company}.`
    return act(
      () => set(isKept),
      done,
      () => set(!isKept),
    )
  }

  return (
    <ConsolePage
      title="Sponsors"
      action={
        <ButtonLink variant="line" to="/console/run-of-show">
          Run of show
        </ButtonLink>
      }
    >
      <PageTabs
        label="Sponsors"
        tabs={[
          { label: 'Benefits due', to: '/console/sponsors', isCurrent: show === 'open' },
          { label: 'All sponsors', to: '/console/sponsors?show=all', isCurrent: show === 'all' },
        ]}
      />
      <ListTools list={list} searchLabel="Search companies, names, tiers and receipts" />
      <ListStates
        loaded={found}
        list={{ ...list, isFiltered: list.query !== '' }}
        what="sponsors"
        isEmpty={({ sponsorships }) => sponsorships.length === 0}
        empty={<Empty title={show === 'open' ? 'All caught up.' : 'No sponsors yet.'} />}
      >
        {({ sponsorships, hasMore, mayChange }) => (
          <>
            <ul className="stack sponsors">
              {sponsorships.map((sponsor) => (
                <Sponsor
                  key={sponsor.id}
                  sponsor={sponsor}
                  mayChange={mayChange}
                  onMark={(benefit, isKept) => void mark(sponsor, benefit, isKept)}
                  onDate={(benefit) => setDating({ sponsor, benefit })}
                  onMail={() => setMailing(sponsor)}
                />
              ))}
            </ul>
            <Pager
              page={list.page}
              hasMore={hasMore}
              onPage={(next) => list.change({ page: next > 1 ? String(next) : null })}
            />
          </>
        )}
      </ListStates>
      <Dialog
        open={dating !== null}
        onClose={() => setDating(null)}
        title={dating ? `When is it due: ${dating.benefit.words}?` : ''}
        width="28rem"
      >
        {dating && (
          <DeadlineForm
            dueOn={dating.benefit.dueOn}
            onSave={async (dueOn) => {
              const { sponsor, benefit } = dating
              const params = { id: sponsor.id, kind: benefit.kind }
              accept(await callAsOfficer(setBenefitDeadline, { params, body: { dueOn } }))
              setDating(null)
              showToast(dueOn === null ? 'It has no deadline.' : `Due ${formatDay(dueOn)}.`)
            }}
          />
        )}
      </Dialog>
      <Dialog open={mailing !== null} onClose={() => setMailing(null)} title="Resend receipt?" width="30rem">
        {mailing && (
          <>
            <p>
              We’ll send the thank-you email with receipt {mailing.receiptNumber} to {mailing.email} again.
            </p>
            <div className="buttons">
              <Button
                onClick={() => {
                  setMailing(null)
                  const { id } = mailing
                  void act(
                    async () => callAsOfficer(resendSponsorReceipt, { params: { id }, body: {} }),
                    'Receipt sent.',
                  )
                }}
              >
                Resend
              </Button>
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
  mayChange,
  onMark,
  onDate,
  onMail,
}: {
  sponsor: PaidSponsor
  mayChange: boolean
  onMark(benefit: Benefit, isKept: boolean): void
  onDate(benefit: Benefit): void
  onMail(): void
}) {
  const { company, name, email, phone, message, tierName, amount, currency, paidAt, receiptNumber } = sponsor
  const isReturned = sponsor.dispute === 'lost' || sponsor.amountRefunded >= amount
  const waiting = sponsor.promises.filter(({ keptAt }) => keptAt === null)
  return (
    <li className="box">
      <header>
        <h2>
          {company} <Badge tone="quiet">{tierName}</Badge> <PaymentBadge payment={sponsor} />
        </h2>
        <div className="box-action buttons">
          <span>
            {formatMoney(amount, currency)}, <a href={`mailto:${email}`}>{name}</a>
            {phone && `, ${phone}`}
          </span>
          {mayChange && (
            <RowMenu
              name={`Actions for ${company}`}
              items={[
                ...waiting.map((benefit) => ({
                  label: `Deadline: ${benefit.words}`,
                  onSelect: () => onDate(benefit),
                })),
                { label: 'Resend receipt', onSelect: onMail },
              ]}
            />
          )}
        </div>
      </header>
      <div className="box-body">
        {message && <p className="preformatted soft">{message}</p>}
        {sponsor.promises.length === 0 ? (
          <p className="soft">{isReturned ? 'Refunded: no benefits are due.' : 'No benefits.'}</p>
        ) : (
          <ul className="benefits">
            {sponsor.promises.map((benefit) => (
              <li key={benefit.kind}>
                <span>
                  {benefit.words}
                  {benefit.dueOn && benefit.keptAt === null && (
                    <span className="small soft"> by {formatDay(benefit.dueOn)}</span>
                  )}
                </span>
                <BenefitBadge benefit={benefit} />
                {mayChange && (
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`${benefit.keptAt ? 'Mark not delivered' : 'Mark delivered'}: ${benefit.words}, ${company}`}
                    onClick={() => onMark(benefit, benefit.keptAt === null)}
                  >
                    {benefit.keptAt ? 'Mark not delivered' : 'Mark delivered'}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      <footer className="soft">
        Paid on {formatLongDate(paidAt)} · receipt {receiptNumber}
      </footer>
    </li>
  )
}

function BenefitBadge({ benefit: { keptAt, isOverdue } }: { benefit: Benefit }) {
  if (keptAt) return <Badge tone="ok">Delivered {formatLongDate(keptAt)}</Badge>
  return isOverdue ? <Badge tone="bad">Overdue</Badge> : <Badge tone="warn">Due</Badge>
}
