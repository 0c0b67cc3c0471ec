import { useState } from 'react'
import {
  changePrice,
  previewPrice,
  type DuesLevel,
  type LevelWithChanges,
  type PriceEffect,
} from '#contract/console-dues.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { heedOthers } from '#web/features/console/heed-others.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldBox } from '#web/ui/field.tsx'
import { differenceWords, effectSentences } from './effect-words.rules.ts'

const FIELDS = ['amount', 'scope', 'startsOn'] as const

interface Wanted {
  amount: string
  scope: 'joining' | 'everybody'
  startsOn?: string
}

/** Another price: first what it means, then a button that does it. What is typed outlives a closed tab. */
export function PriceForm({
  level,
  onSaved,
}: {
  level: DuesLevel
  onSaved(found: LevelWithChanges, said: string): void
}) {
  const [shown, setShown] = useState<{ wanted: Wanted; effect: PriceEffect } | null>(null)
  const action = useAction()
  const params = { key: level.key }
  const form = useKeptForm(`price:${level.key}`, {
    order: FIELDS,
    isTrial: true,
    explain: explainToOfficer,
    async send({ amount, scope, startsOn }) {
      const wanted = {
        amount,
        scope: scope === 'everybody' ? 'everybody' : 'joining',
        ...(startsOn && { startsOn }),
      } satisfies Wanted
      await show(wanted)
    },
  })
  const { amount, scope, startsOn } = form.problems

  async function show(wanted: Wanted) {
    setShown({ wanted, effect: await callAsOfficer(previewPrice, { params, body: wanted }) })
  }

  async function save({ wanted, effect }: { wanted: Wanted; effect: PriceEffect }) {
    await action.run('change', async () => {
      const body = { ...wanted, version: effect.version }
      const found = await heedOthers(
        () => void show(wanted).catch(() => setShown(null)),
        () => callAsOfficer(changePrice, { params, body }),
      )
      form.forget()
      onSaved(found, effect.isToday ? 'The new price is in force.' : 'The new price is planned.')
    })
  }

  return (
    <>
      <form
        {...form.props}
        onInput={(event) => {
          form.props.onInput(event)
          setShown(null)
        }}
      >
        <KeptFormMessages form={form} />
        <div className="pair">
          <Field
            label="New price in dollars"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            hint={`Now it is ${formatMoney(level.unitAmount, level.currency)}.`}
            {...(amount && { error: amount })}
          />
          <Field
            label="First day"
            name="startsOn"
            type="date"
            hint="Empty: at once."
            {...(startsOn && { error: startsOn })}
          />
        </div>
        {level.isRecurring ? (
          <FieldBox id="field-scope" label="Who pays it" {...(scope && { error: scope })}>
            <select
              className="input"
              id="field-scope"
              name="scope"
              defaultValue="everybody"
              onChange={() => setShown(null)}
            >
              <option value="everybody">Everybody: members from their next renewal on</option>
              <option value="joining">Only whoever joins: members keep their price</option>
            </select>
          </FieldBox>
        ) : (
          <input type="hidden" name="scope" value="joining" />
        )}
        <Button type="submit" variant={shown ? 'line' : 'solid'} busy={form.isSending} busyLabel="Adding it up">
          Show what this means
        </Button>
      </form>
      <div role="region" aria-label="What this means" aria-live="polite">
        {shown && (
          <div className="price-effect flow">
            <Effect effect={shown.effect} />
            <ActionMessages action={action} />
            <div className="buttons">
              <Button busy={action.busy !== null} busyLabel="Changing the price" onClick={() => void save(shown)}>
                {shown.effect.isToday ? 'Change the price now' : 'Plan this price'}
              </Button>
              <Button variant="line" disabled={action.busy !== null} onClick={() => setShown(null)}>
                Not like this
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
  const difference = differenceWords(effect)
  return (
    <>
      <h3>What this means</h3>
      <ul>
        {effectSentences(effect).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {yearBefore !== null && yearAfter !== null && (
        <>
          <dl className="console-figures">
            <div>
              <dt>Dues a year, today</dt>
              <dd>{formatMoney(yearBefore, currency)}</dd>
            </div>
            <div>
              <dt>Once all have renewed</dt>
              <dd>{formatMoney(yearAfter, currency)}</dd>
            </div>
          </dl>
          <p className="small soft">That is {difference}, if everybody who renews today goes on doing so.</p>
        </>
      )}
    </>
  )
}
