import { region } from '#contract/region.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { getPaymentChoices, recordLimits, recordPayments } from '#contract/console/money/record-payments.ts'
import { formatMoney } from '#contract/money.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { useDraft } from '#web/console/forms/use-draft.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { ConsolePage, WhenLoaded } from '#web/console/shell/console-page.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Panel } from '#web/console/ui/panel.tsx'
import { showToast } from '#web/console/ui/toasts.tsx'
import { PasteRows } from './paste-rows.tsx'
import { PaymentRowForm } from './payment-row-form.tsx'
import { changeRow, isBlank, newRow, withoutId, type Choices, type EditedRow } from './payment-rows.rules.ts'
import { usePaymentVerdicts } from './use-payment-verdicts.ts'

/** Records payments outside the card provider: one, or as many as came in at an event. */
export default function RecordPaymentsPage() {
  const loaded = useLoaded(getPaymentChoices)
  return (
    <ConsolePage
      title="Record payments"
      lead="Checks, cash, Zelle and wires: for dues, event seats and sponsorships. Each payer gets a receipt by email."
      action={
        <ButtonLink variant="line" to="/console/payments">
          All payments
        </ButtonLink>
      }
    >
      <WhenLoaded loaded={loaded} what="what can be paid">
        {(choices) => <PaymentRows choices={choices} />}
      </WhenLoaded>
    </ConsolePage>
  )
}

const newKey = () => crypto.randomUUID()

function PaymentRows({ choices }: { choices: Choices }) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const action = useAction()
  const [blank] = useState(() => ({
    key: newKey(),
    rows: [newRow('1', choices.today, undefined, givenBy(params, choices))],
  }))
  // What was entered for one payer is not in the way of another.
  const given = params.toString()
  const draft = useDraft(given === '' ? 'record-payments' : `record-payments?${given}`, {
    saved: { value: blank, version: 1 },
    isSame: isSameRows,
  })
  const { rows, key } = draft.value
  const edit = (next: (rows: EditedRow[]) => EditedRow[]) =>
    draft.change((before) => ({ ...before, rows: next(before.rows) }))
  const verdicts = usePaymentVerdicts(rows.map(withoutId))
  const fillLevels = useEffectEvent(() => {
    const levels = rows.map((row, index) => (row.levelKey === '' ? verdicts.of(index)?.memberLevel : null) ?? null)
    if (levels.every((level) => level === null)) return
    edit((before) =>
      before.map((row, index) => {
        const levelKey = levels[index]
        return levelKey && row.email === rows[index]?.email ? changeRow(row, { levelKey }, choices) : row
      }),
    )
  })
  // A member who was pasted, or typed as an address, pays for the level that they have.
  useEffect(() => fillLevels(), [verdicts.isChecking])
  const filled = rows.filter((row) => !isBlank(row))
  const faults = filled.filter((row) => (verdicts.of(rows.indexOf(row))?.faults.length ?? 1) > 0).length
  const total = formatMoney(verdicts.total, region().currency)
  const label =
    verdicts.total === 0
      ? 'Record payment'
      : filled.length > 1
        ? `Record ${filled.length} payments, ${total}`
        : `Record ${total}`

  async function record() {
    const version = await verdicts.checkNow()
    if (version === null) return
    const body = { rows: filled.map(withoutId), version, key }
    const isRecorded = await action.run('record', async () => {
      const { receipts } = await saveAsOfficer(recordPayments, { body })
      draft.discard()
      const [first] = receipts
      showToast(
        receipts.length === 1
          ? `Recorded with receipt ${first?.receiptNumber}`
          : `${receipts.length} payments recorded`,
      )
      void navigate(
        receipts.length === 1 && first ? `/console/payments/${first.kind}/${first.id}` : '/console/payments',
      )
    })
    if (!isRecorded) await verdicts.checkNow()
  }

  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void record()
      }}
    >
      <ActionMessages action={action} />
      {draft.isRestored && (
        <Banner tone="note">
          What you entered on your last visit is here again.{' '}
          <Button variant="line" size="small" onClick={() => draft.discard()}>
            Discard
          </Button>
        </Banner>
      )}
      {rows.map((row, index) => (
        <Panel
          key={row.id}
          title={rows.length === 1 ? 'Payment' : `Payment ${index + 1}`}
          action={
            rows.length > 1 && (
              <Button
                variant="line"
                size="small"
                aria-label={`Remove payment ${index + 1}`}
                onClick={() => edit((before) => before.filter(({ id }) => id !== row.id))}
              >
                Remove
              </Button>
            )
          }
        >
          <PaymentRowForm
            row={row}
            number={index + 1}
            choices={choices}
            verdict={isBlank(row) ? null : verdicts.of(index)}
            onChange={(changes) =>
              edit((before) => before.map((one) => (one.id === row.id ? changeRow(one, changes, choices) : one)))
            }
          />
        </Panel>
      ))}
      <div className="buttons">
        <Button
          type="submit"
          busy={action.busy !== null}
          busyLabel="Recording"
          {...(faults > 0 && {
            reason: `${faults === 1 ? '1 payment needs' : `${faults} payments need`} a correction first.`,
          })}
          disabled={filled.length === 0 || faults > 0 || verdicts.isChecking}
        >
          {label}
        </Button>
        <Button
          variant="line"
          disabled={rows.length >= recordLimits.rows}
          onClick={() => edit((before) => [...before, newRow(newKey(), choices.today, before.at(-1))])}
        >
          Add another
        </Button>
        <PasteRows
          onPaste={(pasted) =>
            edit((before) => {
              const like = before.at(-1)
              const kept = before.filter((row) => !isBlank(row))
              const added = pasted.map(({ paidOn, ...given }) =>
                newRow(newKey(), choices.today, like, { ...given, ...(paidOn !== '' && { paidOn }) }),
              )
              return [...kept, ...added].slice(0, recordLimits.rows)
            })
          }
        />
      </div>
    </form>
  )
}

/** What the link to this page filled in. */
function givenBy(params: URLSearchParams, { levels }: Choices): Partial<EditedRow> {
  const kind = params.get('kind')
  const levelKey = params.get('level') ?? ''
  const level = levels.find(({ key }) => key === levelKey)
  return {
    ...((kind === 'seats' || kind === 'sponsorship') && { kind }),
    ...(params.get('email') && { email: params.get('email') ?? '', name: params.get('name') ?? '' }),
    ...(params.get('event') && { kind: 'seats' as const, eventId: params.get('event') ?? '' }),
    ...(level && { levelKey, amount: String(level.price / 100) }),
  }
}

interface Entered {
  /** Of the request that records it: sent twice, it records once. */
  key: string
  rows: EditedRow[]
}

/** The key is not typed. */
function isSameRows(one: Entered, other: Entered): boolean {
  return JSON.stringify(one.rows) === JSON.stringify(other.rows)
}
