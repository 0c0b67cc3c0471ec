import { useState } from 'react'
import {
  changePrice,
  previewPrice,
  type DuesLevel,
  type LevelWithChanges,
  type PriceEffect,
} from '#contract/console/dues.ts'
import { currencySign, formatMoney } from '#contract/money.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { isEditConflict } from '../shell/save-as-officer.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { useAction } from '../shell/use-action.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { differenceText, effectSentences } from './price-effect.rules.ts'
import { Figure } from '../ui/figure.tsx'

const FIELDS = { amount: 'New price', scope: 'Who pays it', startsOn: 'First day' }
const SCOPE_OPTIONS = [
  ['everybody', 'Everyone: members from their next renewal'],
  ['joining', 'New members only: current members keep their price'],
] as const
const initial = () => ({ scope: 'everybody' })

interface Wanted {
  amount: string
  scope: 'joining' | 'everybody'
  startsOn?: string
}

/** Changes the price after a preview of the effects. Input survives a closed tab. */
export function PriceForm({
  level,
  onSaved,
}: {
  level: DuesLevel
  onSaved(found: LevelWithChanges, message: string): void
}) {
  const [shown, setShown] = useState<{ wanted: Wanted; effect: PriceEffect } | null>(null)
  const action = useAction()
  const params = { key: level.key }
  const form = useDraftForm(`price:${level.key}`, {
    fields: { ...FIELDS, amount: `${FIELDS.amount} (${currencySign()})` },
    initial,
    isTrial: true,
    errorMessage: officerErrorMessage,
    async send({ amount, scope, startsOn }) {
      const wanted = {
        amount,
        scope: scope === 'everybody' ? 'everybody' : 'joining',
        ...(startsOn && { startsOn }),
      } satisfies Wanted
      await show(wanted)
    },
  })

  async function show(wanted: Wanted) {
    setShown({ wanted, effect: await callAsOfficer(previewPrice, { params, body: wanted }) })
  }

  async function save({ wanted, effect }: { wanted: Wanted; effect: PriceEffect }) {
    await action.run('change', async () => {
      const body = { ...wanted, version: effect.version }
      const found = await callAsOfficer(changePrice, { params, body }).catch((failure: unknown) => {
        if (isEditConflict(failure)) void show(wanted).catch(() => setShown(null))
        throw failure
      })
      form.discardDraft()
      onSaved(found, effect.isToday ? 'The new price is in effect.' : 'The new price is scheduled.')
    })
  }

  return (
    <>
      <form
        {...form.props}
        onChange={(event) => {
          form.props.onChange(event)
          setShown(null)
        }}
      >
        <DraftFormMessages form={form} />
        <div className="pair">
          <Field
            {...form.field('amount')}
            inputMode="decimal"
            autoComplete="off"
            hint={`Currently ${formatMoney(level.unitAmount, level.currency)}.`}
          />
          <Field {...form.field('startsOn')} type="date" hint="Leave empty to start now." />
        </div>
        {level.isRecurring ? (
          <SelectField {...form.field('scope')} options={SCOPE_OPTIONS} />
        ) : (
          <input type="hidden" name="scope" value="joining" />
        )}
        <Button type="submit" variant={shown ? 'line' : 'solid'} busy={form.isSubmitting} busyLabel="Calculating">
          Preview the effects
        </Button>
      </form>
      <div role="region" aria-label="Effects" aria-live="polite">
        {shown && (
          <div className="price-effect flow">
            <Effect effect={shown.effect} />
            <ActionMessages action={action} />
            <div className="buttons">
              <Button busy={action.busy !== null} busyLabel="Changing the price" onClick={() => void save(shown)}>
                {shown.effect.isToday ? 'Change price now' : 'Schedule price'}
              </Button>
              <Button variant="line" disabled={action.busy !== null} onClick={() => setShown(null)}>
                Cancel
              </Button>
            </div>
          </div>
        )}
      </div>
    </>
  )
}

function Effect({ effect }: { effect: PriceEffect }) {
  const { yearBefore, yearAfter, currency } = effect
  const difference = differenceText(effect)
  return (
    <>
      <h3>Effects</h3>
      <ul>
        {effectSentences(effect).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {yearBefore !== null && yearAfter !== null && (
        <>
          <dl className="console-figures">
            <Figure label="Yearly dues today" value={formatMoney(yearBefore, currency)} />
            <Figure label="After everyone has renewed" value={formatMoney(yearAfter, currency)} />
          </dl>
          <p className="small soft">That is {difference}, if everyone who renews today keeps renewing.</p>
        </>
      )}
    </>
  )
}
